"""Pages of a sale in Chromium: each watches one node's room from when it is opened, and records what it shows."""
import json
import sys
from pathlib import Path

BROWSER = Path(__file__).parents[1] / "browser"
# Last, not first: a module here may have the name of one that the browser's driver needs.
sys.path.append(sys.path.pop(0))
sys.path.append(str(BROWSER))
from browser import DESKTOP, PHONE, Browser, Unexpected, eventually  # noqa: E402, F401
from room_fixture import HARMLESS  # noqa: E402

RECORDER = (BROWSER / "recorder.js").read_text()
# Seconds after the end in which a page must show it.
END_SECONDS = 15


class Watcher:
    """One page. `node`: whose address it has; `user`: the id of the person that is signed in there, or None; `history`: see recorder.js."""

    def __init__(self, browser, cluster, node, room, name, size, transport=None, session=None):
        self.name, self.node, self.room, self.user = f"the page of {name}", node, room, session and session["user"]["id"]
        address = f"http://127.0.0.1:{cluster.ports[node]}"
        path = f"{address}/{f'?transport={transport}' if transport else ''}#/rooms/{room}"
        self.person = browser.person(name, size, path=path)
        if session:
            self.person.script("localStorage.setItem('auction-room.guest', arguments[0])", json.dumps(session))
            self.person.driver.refresh()
        self.person.see(".live[data-state=live]")
        if size == PHONE:
            self.person.press("Lots", "[role=tab]")
        self.person.script(RECORDER)

    def finish(self):
        """Waits until the page shows the end of the sale and all results; returns findings."""
        person = self.person
        try:
            person.see(".lots-summary", "All lots have had their turn", END_SECONDS)
            while person.all(".results button", "Show more results"):
                count = len(person.all(".result-list li"))
                person.press("Show more results", ".results button")
                eventually(lambda: len(person.all(".result-list li")) > count, f"{person.name}: more results")
            findings = []
        except Unexpected as failure:
            findings = [f"{self.name}: {failure}"]
        self.history, self.ended = person.script("return [window.saleRecord, Date.now()]")
        findings += [f"{self.name} complains: {line}" for line in person.complaints() if not any(each in line for each in HARMLESS)]
        person.close()
        return findings
