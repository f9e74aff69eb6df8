"""The page with a provider: signing in, taking along what a guest has, another device, and all that can go wrong on the way."""
import contextlib
import subprocess
import urllib.parse
import urllib.request
from pathlib import Path

import checks
from browser import DESKTOP, PHONE
from room_fixture import NO_LIMITS, RoomFixture, Server, programs_of
from wire import Connection, eventually, expect


class Provider:
    """A provider of OpenID Connect from PyPI, in a process of its own."""

    def __init__(self):
        python = programs_of("oidc", "oidc-provider-mock==0.3.4") / "python"
        self.process = subprocess.Popen([str(python), "-W", "ignore", str(Path(__file__).with_name("oidc_provider.py"))],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.issuer = self.process.stdout.readline().strip()

    def do(self, what, **form):
        urllib.request.urlopen(f"{self.issuer}/test/{what}", urllib.parse.urlencode(form).encode(), timeout=10).close()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@contextlib.contextmanager
def served(fixture, name, *options):
    server = Server(f"sqlite:{fixture.folder}/{name}.db", *NO_LIMITS, *options, log=f"{fixture.folder}/{name}.log")
    try:
        yield server
    finally:
        server.kill()


def choose(person, user):
    """What the user does at the provider; None: refuses."""
    person.see("h1", "Authorize Client")
    person.tap(f"button[value={user or 'deny'}]")


def signed_in(fixture):
    """A guest signs in and takes the room along; without guests it is the only way in; a second device; a new key; in both languages."""
    provider = Provider()
    options = ("--oidc", provider.issuer + "=page", "--page-sign-in", provider.issuer)
    try:
        with served(fixture, "signed-in", *options) as server:
            begins_as_guest(fixture, server)
        with served(fixture, "signed-in", *options, "--guests", "off") as server:
            only_way_in(fixture, server, provider)
            fails(fixture, server, provider)
        provider.stop()
        with served(fixture, "signed-in", *options) as server:
            away(fixture, server)
    finally:
        provider.stop()


def visitor(fixture, server, name, size, path="/", language="en-US"):
    fixture.browser.address = f"http://127.0.0.1:{server.port}"
    try:
        return fixture.browser.person(name, size, language=language, path=path)
    finally:
        fixture.browser.address = fixture.address


def ready(server):
    """The server has reached its provider."""
    connection = Connection(server.port)
    eventually(lambda: expect(connection.call("GET", "/page/settings.json"), 200)["signIn"]["tokenEndpoint"], "the provider is not reached")
    connection.close()


def begins_as_guest(fixture, server):
    ready(server)
    there = RoomFixture(fixture.browser, server, fixture.folder)
    there.address = f"http://127.0.0.1:{server.port}"
    ann = visitor(fixture, server, "guest", DESKTOP)
    ann.tap(".who")
    ann.see("dialog button", "Sign in with 127.0.0.1")
    checks.inspect(ann, "the ways in")
    ann.become("Annie")
    ann.press("Open a room", "button")
    ann.fill("Name of the room", "Annie's room")
    ann.press("Open", "dialog button")
    ann.see(".room-title", "Annie's room")
    room = ann.script("return location.hash")
    ann.tap(".who")
    ann.press("Sign in…", "dialog button")
    choose(ann, "ann")
    ann.see(".who-name", "Ann Archer")
    there.check(ann.script("return location.hash") == room and ann.script("return location.search") == "", "Ann is not back in the room")
    ann.see("dialog", "Take along what Annie has?")
    checks.inspect(ann, "taking along")
    ann.press("Take it along", "dialog button")
    ann.see(".note", "Taken along, rooms: 1")
    ann.see(".action.host")
    ann.driver.refresh()
    ann.see(".who-name", "Ann Archer")
    ann.tap(".who")
    ann.press("My rooms", "dialog button")
    ann.see(".own-rooms .room-card", "Annie's room")
    there.connection.close()
    ann.close()


def only_way_in(fixture, server, provider):
    ready(server)
    ann = visitor(fixture, server, "laptop", DESKTOP, path="/?lang=en#/")
    ann.tap(".who")
    fixture.check(not ann.sees("dialog label", "Nickname"), "a guest is asked for a nickname where there are none")
    ann.press("Sign in with", "dialog button")
    choose(ann, "ann")
    ann.see(".who-name", "Ann Archer")
    fixture.check(ann.script("return location.search") == "?lang=en", "the address is not what it was")
    ann.see(".own-rooms .room-card", "Annie's room")
    ann.press("Annie's room", "a")
    ann.see(".room-title", "Annie's room")
    # The same user on the phone, by what the laptop shows.
    ann.tap(".who")
    ann.press("Go on on another device", "dialog button")
    ann.see("dialog", "Valid for 5 min, once.")
    checks.inspect(ann, "another device")
    link = ann.script("return document.querySelector('[data-share=pair-link]').value")
    ann.escape()
    phone = visitor(fixture, server, "phone", PHONE, path=urllib.parse.urlparse(link)._replace(scheme="", netloc="").geturl())
    phone.see("dialog", "Go on from another device")
    checks.inspect(phone, "a code from another device", "phone-pairing")
    fixture.check("pair" not in phone.script("return location.href"), "the code stays in the address")
    phone.press("Continue", "dialog button")
    phone.see(".note", "You are Ann Archer here now.")
    phone.see(".own-rooms .room-card", "Annie's room")
    again = visitor(fixture, server, "again", PHONE, path=urllib.parse.urlparse(link)._replace(scheme="", netloc="").geturl())
    again.press("Continue", "dialog button")
    again.see(".field-error", "The code is not valid")
    again.close()
    # Who leaves one device is there on the other. From here they may sign in too: the phone does not know how they did there.
    phone.tap(".who")
    phone.see("dialog button", "Sign in…")
    checks.inspect(phone, "the menu of who came by a code")
    phone.press("Leave this device", "dialog button")
    phone.see(".who-name", "Your name")
    phone.driver.refresh()
    phone.see(".who-name", "Your name")
    ann.driver.refresh()
    ann.see(".who-name", "Ann Archer")
    phone.close()
    # A new key, and a user whose account has no name, in Chinese.
    provider.do("rotate")
    cy = visitor(fixture, server, "cy", PHONE, language="zh-CN")
    cy.tap(".who")
    cy.press("使用 127.0.0.1 登录", "dialog button")
    choose(cy, "cy")
    cy.see("dialog", "您的账号未提供名称")
    checks.inspect(cy, "an account without a name", "phone-sign-in-name")
    cy.fill("昵称", "小赵")
    cy.press("继续", "dialog button")
    cy.see(".who-name", "小赵")
    cy.close()
    ann.close()


def fails(fixture, server, provider):
    bo = visitor(fixture, server, "bo", DESKTOP)

    def begin():
        bo.tap(".who")
        bo.press("Sign in with", "dialog button")

    begin()
    bo.see("h1", "Authorize Client")
    began = bo.driver.current_url
    bo.script("document.querySelector('button[value=deny]').click()")
    bo.see(".note", "You did not sign in")
    bo.see(".who-name", "Your name")
    provider.do("name", issuer="https://evil.example")
    begin()
    choose(bo, "bo")
    bo.see(".note", "Another service answered")
    # The provider's page of a sign-in that is over: its code is for a state that this tab does not know any more.
    bo.driver.get(began)
    choose(bo, "bo")
    bo.see(".note", "was not begun here")
    begin()
    choose(bo, "bo")
    bo.see(".who-name", "bo.the.bidder")
    bo.driver.back()
    bo.driver.forward()
    bo.see(".who-name", "bo.the.bidder")
    bo.close()


def away(fixture, server):
    """The provider is not reached: guests come in, and who would sign in is told."""
    dana = visitor(fixture, server, "dana", DESKTOP)
    dana.tap(".who")
    dana.press("Sign in with", "dialog button")
    dana.see(".note", "cannot be reached right now")
    dana.become("Dana")
    dana.see(".who-name", "Dana")
    dana.close()


SIGN_IN_SCENARIOS = [signed_in]
