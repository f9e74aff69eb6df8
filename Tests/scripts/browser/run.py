"""Runs the scenarios of the web page one after the other, in one browser against one server.

PAGE_SHOTS: a folder for pictures. PAGE_ONLY: the scenarios to run, such as "cut,phone". PAGE_EXCEPT: those to leave out.
"""
import os
import shutil
import sys
import tempfile
import time

import checks
from aftermath_scenarios import AFTERMATH_SCENARIOS
from browser import Browser, Unexpected
from docs_scenario import documentation
from elsewhere import elsewhere
from hand_scenarios import HAND_SCENARIOS
from layout_dialogs import LAYOUT_SCENARIOS
from operator_scenario import operator
from people_scenarios import PEOPLE_SCENARIOS
from sale_scenarios import SALE_SCENARIOS
from sign_in_scenarios import SIGN_IN_SCENARIOS
from scenarios import SCENARIOS
from story import STORY_SCENARIOS
from voice_scenarios import VOICE_SCENARIOS
from room_fixture import NO_LIMITS, RoomFixture, Server, CheckFailed, require_binary


def named(variable, scenarios):
    """The names in an environment variable, which must be those of scenarios."""
    names = [name for name in os.environ.get(variable, "").split(",") if name]
    unknown = set(names) - {scenario.__name__ for scenario in scenarios}
    if unknown:
        raise SystemExit(f"page: {variable} names no scenarios: {', '.join(sorted(unknown))}")
    return names


def main():
    require_binary()
    started = time.monotonic()
    shots = os.environ.get("PAGE_SHOTS")
    if shots:
        os.makedirs(shots, exist_ok=True)
    every = [*SCENARIOS, *PEOPLE_SCENARIOS, *SALE_SCENARIOS, *HAND_SCENARIOS, *SIGN_IN_SCENARIOS, operator, *AFTERMATH_SCENARIOS, *LAYOUT_SCENARIOS, *STORY_SCENARIOS, *VOICE_SCENARIOS, documentation, elsewhere]
    chosen, left_out = named("PAGE_ONLY", every), named("PAGE_EXCEPT", every)
    folder = tempfile.mkdtemp(prefix="auction-room-page-")
    server = Server(f"sqlite:{folder}/rooms.db", *NO_LIMITS, log=f"{folder}/server.log")
    browser = Browser(f"http://127.0.0.1:{server.port}", shots)
    fixture = None
    try:
        for scenario in every:
            if (chosen and scenario.__name__ not in chosen) or scenario.__name__ in left_out:
                continue
            fixture = RoomFixture(browser, server, folder)
            scenario(fixture)
            server = fixture.server
            checks.audit(fixture)
            fixture.quiet()
            print(f"{scenario.__name__}: fine ({time.monotonic() - started:.0f} s)", flush=True)
    except (Unexpected, CheckFailed) as failure:
        for person in browser.people:
            print(f"{person.name}: {person.complaints()[:6]}", file=sys.stderr)
        if browser.front and shots:
            browser.front.shot("failure")
        raise SystemExit(f"page: {scenario.__name__}: {failure}") from failure
    finally:
        browser.close()
        (fixture.server if fixture else server).kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
