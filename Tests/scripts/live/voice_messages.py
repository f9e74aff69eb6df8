"""LiveKit's library as a filter: reads a request a line as JSON, and prints a response each. Arguments: the key, and the file of its secret.

{"token"}: the claims of a token; {"token", "method", "body"}: the same, and the body as LiveKit's own message of that call, with its usual form;
{"method", "answer"}: LiveKit's answer as its server writes it. A text instead: what the library refuses."""
import dataclasses
import json
import sys
from pathlib import Path

from google.protobuf import json_format
from livekit.api import TokenVerifier
from livekit.protocol import models, room

# By method: the request and the answer.
CALLS = {
    "ListParticipants": (room.ListParticipantsRequest, room.ListParticipantsResponse),
    "UpdateParticipant": (room.UpdateParticipantRequest, models.ParticipantInfo),
    "RemoveParticipant": (room.RoomParticipantIdentity, room.RemoveParticipantResponse),
    "DeleteRoom": (room.DeleteRoomRequest, room.DeleteRoomResponse),
}


def response(verifier, request):
    if "answer" in request:
        message = json_format.ParseDict(request["answer"], CALLS[request["method"]][1]())
        return json_format.MessageToJson(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    claims = dataclasses.asdict(verifier.verify(request["token"]))
    if "method" not in request:
        return {"claims": claims}
    # Unknown members are refused.
    message = json_format.Parse(request["body"], CALLS[request["method"]][0]())
    return {"claims": claims, "message": json_format.MessageToDict(message)}


def main():
    verifier = TokenVerifier(sys.argv[1], Path(sys.argv[2]).read_text().strip())
    for line in sys.stdin:
        try:
            print(json.dumps(response(verifier, json.loads(line))), flush=True)
        except Exception as error:  # Whatever the library raises is what it refuses.
            print(json.dumps({"refused": f"{type(error).__name__}: {error}"}), flush=True)


main()
