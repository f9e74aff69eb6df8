"""Measurable accessibility checks of a page. Every finding is a sentence."""
import functools

from room_fixture import CheckFailed, programs_of

NAMES = """
const named = (e) => (e.innerText || '').trim() || e.getAttribute('aria-label') || e.getAttribute('title')
  || (e.labels && [...e.labels].map((l) => l.innerText).join(' ').trim())
  || (e.getAttribute('aria-labelledby') || '').split(' ').map((i) => document.getElementById(i)?.innerText || '').join('').trim();
const seen = (e) => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 0;
const found = [];
for (const e of document.querySelectorAll('button, a, input, textarea, select, summary, [role=tab], dialog, section, aside'))
  if (seen(e) && !named(e)) found.push('without a name: ' + e.outerHTML.slice(0, 90));
for (const e of document.querySelectorAll('button, a.back, a.room-card, input, summary')) {
  const r = e.getBoundingClientRect();
  if (seen(e) && !e.closest('.choice-card') && (r.height < 24 || r.width < 24))
    found.push(`too small to hit (${Math.round(r.width)}×${Math.round(r.height)}): ` + named(e));
}
const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
for (const id of new Set(ids)) if (ids.filter((i) => i === id).length > 1) found.push('twice on the page: #' + id);
for (const e of document.querySelectorAll('[aria-controls], [aria-describedby]'))
  for (const id of ((e.getAttribute('aria-controls') || '') + ' ' + (e.getAttribute('aria-describedby') || '')).split(' '))
    if (id && !document.getElementById(id)) found.push('points at nothing: ' + id);
if (document.querySelectorAll('h1').length !== 1) found.push('not one h1');
if (document.querySelectorAll('main').length !== 1) found.push('not one main');
if (!document.title) found.push('no title');
return found;
"""

WIDTH = """
const wide = document.documentElement.clientWidth;
if (document.scrollingElement.scrollWidth <= wide) return [];
return [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > wide + 1)
  .slice(0, 3).map((e) => 'wider than the screen: ' + e.tagName + '.' + e.className);
"""

# Contrast as WCAG 2 defines it, of every text that is shown, against the nearest ground that hides what is below it.
CONTRAST = """
const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
const rgba = (c) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1);
  const d = canvas.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
const over = (top, low) => [0, 1, 2].map((i) => top[i] * top[3] + low[i] * (1 - top[3])).concat(1);
const light = (c) => { const f = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]); };
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim();
  const e = walker.currentNode.parentElement;
  if (!text || !e.checkVisibility({visibilityProperty: true, opacityProperty: true}) || e.closest('.unseen, :disabled, .skip')) continue;
  const style = getComputedStyle(e);
  const layers = [];
  for (let at = e; at; at = at.parentElement) { const c = rgba(getComputedStyle(at).backgroundColor); layers.push(c); if (c[3] === 1) break; }
  const ground = layers.reverse().reduce((low, top) => over(top, low), [255, 255, 255, 1]);
  const ink = over(rgba(e instanceof SVGElement ? style.fill : style.color), ground);
  const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
  if (ratio < (isLarge ? 3 : 4.5))
    found.push(`contrast ${ratio.toFixed(1)}: ${text.slice(0, 30)} (${e.className})`);
}
return found;
"""


# What axe-core cannot decide, it does not find; what it calls moderate or minor is advice. Its rule of contrast is off: of a room on a phone it
# measured no text at all, on a desktop 49 of them and three not, in one or two seconds. CONTRAST measures every text in a tenth of that.
AXE = """
const done = arguments[0];
axe.run(document, {resultTypes: ['violations'], preload: false, rules: {'color-contrast': {enabled: false}}}).then(({violations}) => done(violations.filter(({impact}) => /serious|critical/.test(impact))
  .flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) => `${id}: ${html.slice(0, 120)} (${failureSummary.split('\\n')[1]?.trim()})`))),
  (error) => done([`axe-core failed: ${error}`]));
"""


@functools.cache
def axe_script():
    libraries = programs_of("axe", "axe-core-python==0.1.0").parent / "lib"
    return next(libraries.glob("python*/site-packages/axe_core_python/axe.min.js")).read_text(encoding="utf-8")


def axe_of(person):
    """What axe-core finds that is serious or critical."""
    if not person.script("return Boolean(window.axe)"):
        person.script(axe_script())
    return person.driver.execute_async_script(AXE)


def all_of(person):
    return person.script(NAMES) + person.script(WIDTH) + person.script(CONTRAST) + axe_of(person)


def inspect(person, what, shot=None):
    """Nothing is wrong with what the person has before them, of which a picture is taken."""
    found = all_of(person)
    if found:
        raise CheckFailed(f"{what}: {'; '.join(found[:6])}")
    if shot:
        person.shot(shot)


def audit(fixture):
    """What axe-core finds in the page that each person of a scenario has before them at its end."""
    for person in fixture.browser.people:
        person.to_front()
        if person.driver.current_url.startswith(fixture.browser.address):
            fixture.findings(axe_of(person), f"{person.name} at the end")
