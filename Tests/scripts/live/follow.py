"""Follows a room with the websockets package: python follow.py URL COUNT; prints a seq a line."""
import asyncio
import json
import sys

import websockets


async def main(url, count):
    async with websockets.connect(url, subprotocols=["auction-room.v1"]) as socket:
        if socket.subprotocol != "auction-room.v1":
            raise SystemExit(f"the subprotocol is {socket.subprotocol}")
        seen = 0
        while seen < count:
            event = json.loads(await asyncio.wait_for(socket.recv(), 20))
            if "seq" in event:
                print(event["seq"], flush=True)
                seen += 1


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
