"""`auction-room pictures` beside a running server: who holds what, and the removal of pictures for good."""
import pathlib
import re

from program import NO_LIMITS, Server, output
from room_setup import guest, open_room
from wire import Connection, check, expect

CORPUS = pathlib.Path(__file__).parents[2] / "Corpora/picture"
RULES = {"startingPrice": "1.00", "biddingSeconds": 60}


def program(*arguments, code=0):
    """The lines that the program prints."""
    return output(*arguments, code=code).splitlines()


def run(store):
    """On an empty store, which has one room with pictures afterwards; returns the room, and the address that its second lot names."""
    server = Server(store, *NO_LIMITS, "--log-level", "error")
    connection = Connection(server.port)
    call = connection.call
    host, seller = (guest(connection, name) for name in ("Host", "Seller"))
    path = "/v1/rooms/" + open_room(connection, "Pictures", host, seller)

    def upload(name, person, *statuses):
        return expect(call("POST", path + "/media", person[1], (CORPUS / name).read_bytes(), headers=["Content-Type: image/*"]), *statuses or (201,))

    def preview(address):
        return expect(call("POST", f"{path}/media?previewOf={address.rsplit('/', 1)[1]}", seller[1], (CORPUS / "palette.png").read_bytes(),
                           headers=["Content-Type: image/*"]), 201)["url"]

    jpeg, png, webp = (upload(name, seller)["url"] for name in ("photo.jpg", "photo.png", "lossy.webp"))
    check(upload("lossy.webp", host)["url"] == webp, "the same picture has two addresses")
    for address in (jpeg, webp):
        expect(call("POST", path + "/lots", seller[1], {"name": "Vase", "media": [address], "rules": RULES}), 201)
    small = preview(jpeg)
    check(small == jpeg + "?preview", f"the preview is at {small}")
    users = program("pictures", "--store", store)
    check(len(users) == 3 and users[0].startswith(f"{seller[0]}: 3 pictures, ") and users[1].startswith(f"{host[0]}: 1 pictures, "), f"users: {users}")
    mine = program("pictures", "--store", store, "--user", seller[0])
    check(sorted(line.split(":")[0] for line in mine) == sorted((jpeg, png, webp)), f"a user's pictures: {mine}")
    check(sum("named by an item or lot" in line for line in mine) == 2, f"which are named: {mine}")

    gone = program("pictures", "--store", store, "--picture", jpeg, "--remove")
    check(re.match(rf"20\S+Z removed {jpeg}: \d+ bytes, .*by {seller[0]} in ", gone[0]) and gone[1] == "1 pictures removed", f"removal: {gone}")
    check((call("GET", jpeg).status, call("GET", small).status) == (404, 404), "a removed picture or its preview is served")
    check(upload("photo.jpg", host, 400)["code"] == "media.removed", "a removed picture is taken again")
    rest = program("pictures", "--store", store, "--user", seller[0], "--remove")
    check(rest[-1] == "1 pictures removed" and any(line.startswith(f"stays, as others uploaded it too: {webp}") for line in rest), f"a user's: {rest}")
    check((call("GET", png).status, call("GET", webp).status) == (404, 200), "another picture than the user's was removed")
    check(program("pictures", "--store", store, "--picture", jpeg.rsplit("/", 1)[1])[0].startswith(jpeg + ": removed at 20"), "no record is left")
    check(program("pictures", "--store", store, "--picture", jpeg, "--remove") == ["0 pictures removed"], "a picture is removed twice")
    check(program("pictures", "--store", store)[-1] == "2 users, 2 pictures removed by an operator", "removals are not counted")
    for wrong in (("--remove",), ("--picture", "x"), ("--user", "x")):
        program("pictures", "--store", store, *wrong, code=78)
    check("lots" in expect(call("GET", path + "/lots", host[1]), 200), "the room cannot be read")
    connection.close()
    check(server.terminate()[0] == 0, "the server does not end well")
    check(program("verify", "--store", store)[-1].endswith(" 1 pictures stored, 2 named, 0 findings"),
          "verify complains about removed pictures")
    return path.rsplit("/", 1)[1], webp
