"""What a phone's camera reads of the page, and a photo that it takes."""
import base64
import json
import subprocess

from room_fixture import programs_of

# The grey values of a picture in PNG, for a decoder that is not the page's.
PIXELS = """
const [text, done] = arguments;
const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
createImageBitmap(new Blob([bytes], {type: 'image/png'})).then((image) => {
  const {width, height} = image;
  const surface = new OffscreenCanvas(width, height).getContext('2d');
  surface.drawImage(image, 0, 0);
  const {data} = surface.getImageData(0, 0, width, height);
  done([width, height, Array.from({length: width * height}, (_, at) => data[4 * at + 1])]);
});
"""
READ = """
import json, sys, zxingcpp
width, height, grey = json.load(sys.stdin)
found = zxingcpp.read_barcodes(memoryview(bytes(grey)).cast("B", (height, width)), formats=zxingcpp.BarcodeFormat.QRCode)
print(json.dumps([each.text for each in found]))
"""

# Noise over a gradient: compressed no further than a camera's photo of leaves.
PHOTO = """
const [width, height, hue, done] = arguments;
const tile = new OffscreenCanvas(512, 512);
const grain = tile.getContext('2d');
const pixels = grain.createImageData(512, 512);
for (let at = 0; at < pixels.data.length; at += 4) {
  const light = 128 + (Math.random() - 0.5) * 76;
  pixels.data.set([light, light, light, 150], at);
}
grain.putImageData(pixels, 0, 0);
const photo = new OffscreenCanvas(width, height);
const surface = photo.getContext('2d');
const gradient = surface.createLinearGradient(0, 0, width, height);
gradient.addColorStop(0, `hsl(${hue} 60% 35%)`);
gradient.addColorStop(1, `hsl(${hue} 50% 75%)`);
for (const style of [gradient, surface.createPattern(tile, 'repeat')]) {
  surface.fillStyle = style;
  surface.fillRect(0, 0, width, height);
}
photo.convertToBlob({type: 'image/jpeg', quality: 0.95}).then((blob) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.split(',')[1]);
  reader.readAsDataURL(blob);
});
"""


def qr_text(person, css):
    """What the QR code says that a person sees there."""
    shown = person.see(css).screenshot_as_base64
    pixels = person.driver.execute_async_script(PIXELS, shown)
    reader = programs_of("zxing-cpp", "zxing-cpp==3.1.1") / "python"
    found = json.loads(subprocess.run([reader, "-c", READ], input=json.dumps(pixels), stdout=subprocess.PIPE, text=True, check=True).stdout)
    return found[0] if len(found) == 1 else f"{len(found)} codes"


def photo(person, hue, size=(4032, 3024)):
    """The bytes of a JPEG as the camera of a phone makes it, of 12 megapixels."""
    person.to_front()
    return base64.b64decode(person.driver.execute_async_script(PHOTO, *size, hue))
