"""What a phone's camera reads of the page."""
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


def qr_text(person, css):
    """What the QR code says that a person sees there."""
    shown = person.see(css).screenshot_as_base64
    pixels = person.driver.execute_async_script(PIXELS, shown)
    reader = programs_of("zxing-cpp", "zxing-cpp==3.1.1") / "python"
    found = json.loads(subprocess.run([reader, "-c", READ], input=json.dumps(pixels), stdout=subprocess.PIPE, text=True, check=True).stdout)
    return found[0] if len(found) == 1 else f"{len(found)} codes"
