"""What is drawn first stays: a late typeface moves nothing, and the few styles inside a page are all it needs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, ViewportSize, expect

from tests.e2e.conftest import FirstVisits, Site, Watch
from tests.e2e.contexts import Contexts
from tests.e2e.demo_firm import change
from tests.e2e.hydration import wake
from tests.support.each import check_each
from tests.support.public_pages import PUBLIC, STATIC
from tests.support.waiting import wait_for

SIZES: dict[str, ViewportSize] = {"phone": {"width": 412, "height": 823}, "desk": {"width": 1350, "height": 940}}
FACES = {"newsreader.woff2", "source-sans.woff2", "newsreader-italic.woff2"}
# The widths of common phones, tablets and desks.
WIDTHS_OF_SCREENS = (320, 360, 375, 384, 390, 393, 402, 412, 428, 440, 768, 820, 1024, 1280, 1366, 1440, 1920)
IN_FACE = "face => document.documentElement.style.setProperty('--font-display', face)"
# Where each letter of the headline stands, in lines.
LINES = """() => {
  const texts = document.createTreeWalker(document.querySelector("h1"), NodeFilter.SHOW_TEXT);
  const lines = new Map();
  while (texts.nextNode()) {
    for (let place = 0; place < texts.currentNode.length; place++) {
      const letter = document.createRange();
      letter.setStart(texts.currentNode, place);
      letter.setEnd(texts.currentNode, place + 1);
      const top = Math.round(letter.getBoundingClientRect().top);
      lines.set(top, (lines.get(top) ?? "") + letter);
    }
  }
  return Array.from(lines.values(), (line) => line.trim()).filter(Boolean);
}"""
WATCH_SHIFTS = """
window.shifted = [];
new PerformanceObserver((list) => { for (const entry of list.getEntries()) shifted.push(entry.value); })
  .observe({type: "layout-shift", buffered: true});
window.painted = new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({type: "paint", buffered: true});
});
"""
STYLES_ARE_THERE = """() => new Promise((resolve, reject) => {
  const link = document.head.querySelector("link[rel=stylesheet]");
  if (link.sheet) resolve();
  link.addEventListener("load", resolve);
  link.addEventListener("error", reject);
})"""
WIDTHS = """() => ({
  header: document.querySelector("header").getBoundingClientRect().width,
  scrollable: document.documentElement.scrollHeight > innerHeight,
})"""
# What every property of every element is, before and after the whole stylesheet is let in. What moves is stopped first,
# cards below the screen are laid out too, and pictures are waited for: one that arrives in between has another size.
STILL = """async () => {
  const still = new CSSStyleSheet();
  still.replaceSync(`*, ::before, ::after {
    animation: none !important; transition: none !important; content-visibility: visible !important;
  }`);
  document.adoptedStyleSheets = [still];
  for (const picture of document.images) picture.loading = "eager";
  // Chromium tells an automatic margin as 0 when styles were changed and the layout was not.
  const laidOut = () => {
    document.body.style.display = "none";
    document.body.getBoundingClientRect();
    document.body.style.display = "";
    return document.body.querySelectorAll("*");
  };
  // Only what some rule sets can change, and what follows from the size.
  const whole = new CSSStyleSheet();
  await whole.replace(await (await fetch(document.head.querySelector("link[rel=stylesheet][disabled]").href)).text());
  const rules = (group) => Array.from(group.cssRules ?? []).flatMap((rule) => [rule, ...rules(rule)]);
  const set = new Set(["width", "height", ...rules(whole).flatMap((rule) => Array.from(rule.style ?? []))]);
  const names = Array.from(getComputedStyle(document.body)).filter((name) => set.has(name));
  window.looks = async () => {
    await Promise.allSettled(Array.from(document.images, (picture) => picture.decode()));
    await document.fonts.ready;
    return Array.from(laidOut(), (element) =>
      ["", "::before", "::after"].flatMap((part) => {
        const style = getComputedStyle(element, part);
        if (part && style.content === "none") return [];
        const values = names.map((name) => `${name}: ${style.getPropertyValue(name)}`);
        return `${element.tagName}.${element.className}${part}\\n${values.join("\\n")}`;
      })).flat();
  };
  window.before = {};
}"""
# How wide the text of the page is in a font, in one line.
WIDTH = """async (font) => {
  await document.fonts.load(font);
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.font = font;
  return canvas.measureText(document.querySelector("main").innerText).width;
}"""
LET_IN = """() => new Promise((resolve, reject) => {
  const link = document.head.querySelector("link[rel=stylesheet][disabled]");
  link.addEventListener("load", resolve);
  link.addEventListener("error", reject);
  link.disabled = false;
})"""
# The elements that look different, and the properties that do.
MISSED = """async (size) => (await looks()).flatMap((look, place) => {
  const was = before[size][place] ?? "";
  if (look === was) return [];
  const known = new Set(was.split("\\n"));
  return [look.split("\\n")[0], ...look.split("\\n").filter((line) => !known.has(line))];
}).slice(0, 20)"""


@pytest.fixture
def context(first_visit: BrowserContext) -> BrowserContext:
    """A visitor whose browser has to fetch everything."""
    return first_visit


def resize(page: Page, size: str) -> None:
    """Give the page a width, and wait until it has it."""
    page.set_viewport_size(SIZES[size])
    page.wait_for_function("width => document.documentElement.clientWidth === width", arg=SIZES[size]["width"])


def faces(page: Page, selector: str) -> bool:
    """Whether the element's text is set in our own typefaces alone."""
    inspector = page.context.new_cdp_session(page)
    inspector.send("DOM.enable")
    inspector.send("CSS.enable")
    root = inspector.send("DOM.getDocument")["root"]["nodeId"]
    node = inspector.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    fonts = inspector.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return bool(fonts) and all(font["isCustomFont"] for font in fonts)


@pytest.mark.spec("PUB-5")
@pytest.mark.parametrize("size", SIZES)
def test_a_late_headline_font_causes_no_layout_shift(first_visits: FirstVisits, site: Site, size: str) -> None:
    def check(path: str) -> None:
        with first_visits() as context:
            waiting: list[Route] = []

            def hold(font: Route) -> None:
                font.continue_() if may_arrive else waiting.append(font)

            may_arrive = False
            page = context.new_page()
            page.set_viewport_size(SIZES[size])
            page.add_init_script(WATCH_SHIFTS)
            page.route("**/*.woff2", hold)
            page.goto(site.url + path, wait_until="domcontentloaded")
            page.evaluate("window.painted")
            assert {font.request.url.rpartition("/")[2] for font in waiting} <= FACES
            assert not faces(page, "h1")
            may_arrive = True
            for font in waiting:
                font.continue_()
            page.wait_for_load_state("networkidle")
            page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
            wait_for(lambda: faces(page, "h1"), "the headline has its face", page=page)
            assert page.evaluate("window.shifted.reduce((sum, value) => sum + value, 0)") <= 0.01

    check_each(PUBLIC, check)


@pytest.mark.spec("PUB-5")
def test_a_headline_breaks_at_the_same_words_in_the_fallback_font(contexts: Contexts, site: Site) -> None:
    def check(path: str) -> None:
        with contexts.lent(site.url, {}, is_mobile=True, viewport={"width": 320, "height": 800}) as phone:
            page = phone.new_page()
            page.goto(site.url + path, wait_until="networkidle")
            differ = {}
            for width in WIDTHS_OF_SCREENS:
                page.set_viewport_size({"width": width, "height": 800})
                lines = []
                for face in ("Newsreader Display", "Display fallback"):
                    page.evaluate(IN_FACE, f"'{face}'")
                    page.evaluate("face => document.fonts.load(`500 2rem '${face}'`)", face)
                    lines.append(page.evaluate(LINES))
                if lines[0] != lines[1]:
                    differ[width] = lines
        assert differ == {}

    check_each(STATIC, check)


@pytest.mark.spec("PUB-5")
@pytest.mark.parametrize("weight", [400, 600])
def test_text_is_as_wide_in_its_fallback_font(context: BrowserContext, site: Site, weight: int) -> None:
    page = context.new_page()
    page.goto(f"{site.url}/terms")
    # In small sizes some browsers round the widths of letters.
    width, fallback = (page.evaluate(WIDTH, f"{weight} 200px '{face}'") for face in ("Source Sans 3", "Text fallback"))
    assert fallback == pytest.approx(width, rel=0.02)


@pytest.mark.spec("PUB-5")
def test_logos_and_portraits_are_loaded_after_the_first_paint(context: BrowserContext, site: Site) -> None:
    """Their animation begins with the first paint; while time stands still none is asked for."""
    page = context.new_page()
    page.set_viewport_size(SIZES["phone"])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    animations = context.new_cdp_session(page)
    animations.send("Animation.enable")
    animations.send("Animation.setPlaybackRate", {"playbackRate": 0})
    page.goto(site.url, wait_until="networkidle")
    assert not [url for url in asked if "/images/people/" in url or "/images/companies/" in url]
    animations.send("Animation.setPlaybackRate", {"playbackRate": 1})
    wait_for(
        lambda: page.locator(".small-faces img").evaluate_all("faces => faces.every((face) => face.naturalWidth > 0)"),
        "all faces are loaded",
        page=page,
    )
    assert [url for url in asked if "/images/people/" in url]
    marks = page.locator(".mark-row img")
    marks.last.scroll_into_view_if_needed()
    wait_for(
        lambda: marks.evaluate_all("marks => marks.every((mark) => mark.naturalWidth > 0)"),
        "all marks are loaded",
        page=page,
    )
    assert len({url for url in asked if "/images/companies/" in url}) >= marks.count() > 1


def test_a_late_scrollbar_causes_no_layout_shift(visit: Callable[[str], Page]) -> None:
    """The first lines may be drawn before the page is long enough to be scrolled."""
    page = visit("/")
    page.set_viewport_size(SIZES["desk"])
    page.context.new_cdp_session(page).send("Emulation.setScrollbarsHidden", {"hidden": False})
    whole = page.evaluate(WIDTHS)
    page.locator("main, footer").evaluate_all("parts => parts.forEach(part => part.remove())")
    begun = page.evaluate(WIDTHS)
    assert whole["scrollable"]
    assert not begun["scrollable"]
    assert whole["header"] == begun["header"] < SIZES["desk"]["width"]


@pytest.mark.parametrize("size", SIZES)
def test_the_second_page_uses_the_web_fonts(context: BrowserContext, site: Site, size: str) -> None:
    """A phone's first page fetches two of them when it is complete, and shows them on the second."""
    page = context.new_page()
    page.set_viewport_size(SIZES[size])
    with (
        page.expect_response("**/newsreader-italic.woff2") as italic,
        page.expect_response("**/source-sans.woff2") as text,
    ):
        page.goto(site.url)
    for fetched in (italic, text):
        fetched.value.finished()
    assert faces(page, "p.lead") is (size == "desk")
    # A face from the cache has a tenth of a second to be shown, which a busy machine may miss.
    for _ in range(5):
        page.get_by_role("link", name="Why Us", exact=True).first.evaluate("link => link.click()")
        page.wait_for_url("**/why-us")
        if all(faces(page, selector) for selector in ("h1", ".eyebrow", "p.lead")):
            return
        page.goto(site.url)
    pytest.fail("The next page has not the real faces.")


@pytest.mark.spec("PUB-5")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("path", "selector"), [("/", ".hero .eyebrow"), ("/", ".voice p"), ("/companies/ashlar-materials", ".person-role")]
)
def test_texts_are_upright_in_the_headline_font_without_the_italic_font(
    context: BrowserContext, site: Site, watch: Watch, path: str, selector: str, size: str
) -> None:
    context.route("**/newsreader-italic*.woff2", lambda font: font.abort())
    watch.expect("newsreader-italic")
    page = context.new_page()
    page.set_viewport_size(SIZES[size])
    page.goto(site.url + path, wait_until="networkidle")
    wait_for(lambda: faces(page, selector), "the text has our face", page=page)
    assert page.locator(selector).first.evaluate("text => getComputedStyle(text).fontSynthesisStyle") == "none"


@pytest.mark.spec("PUB-5")
def test_a_name_in_another_alphabet_loads_its_font_file(context: BrowserContext, fresh_site: Site) -> None:
    fetched: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    page.goto(f"{fresh_site.url}/companies/toko-tally", wait_until="networkidle")
    assert "newsreader-more.woff2" not in fetched
    change(fresh_site.data_dir, name="Nguyễn & Şahin")
    page.goto(f"{fresh_site.url}/companies/toko-tally", wait_until="networkidle")
    assert "newsreader-more.woff2" in fetched
    assert faces(page, "h1")
    change(fresh_site.data_dir, name="陈氏 & தமிழ்")
    page.goto(f"{fresh_site.url}/companies/toko-tally", wait_until="networkidle")
    expect(page.get_by_role("heading", name="陈氏 & தமிழ்")).to_be_visible()


def test_the_inlined_styles_are_sufficient_for_a_page(
    context: BrowserContext, visit: Callable[[str], Page], watch: Watch
) -> None:
    # A typeface that arrives during the measure would change the size of every text.
    context.route("**/*.woff2", lambda font: font.abort())
    watch.expect("woff2")

    def check(path: str) -> None:
        page = visit(path)
        page.evaluate(STILL)
        for size in SIZES:
            resize(page, size)
            assert page.evaluate("async size => (before[size] = await looks()).length", size) > 50
        page.evaluate(LET_IN)
        for size in SIZES:
            resize(page, size)
            assert page.evaluate(MISSED, size) == []

    check_each(PUBLIC, check)


def test_starting_the_scripts_loads_the_whole_stylesheet(visit: Callable[[str], Page], watch: Watch) -> None:
    """What they bring up may have classes that the page as it came had not."""
    watch.expect(r"422 .*/contact")  # on a busy machine the form is posted before the socket is open
    page = visit("/contact")
    assert "field-error" not in page.content().partition("</style>")[0]
    wake(page)
    page.evaluate(STYLES_ARE_THERE)
    page.get_by_role("button", name="Send Message").click()
    error = page.get_by_text("Please enter your last name.")
    expect(error).to_be_visible()
    assert error.evaluate("error => getComputedStyle(error).fontWeight") == "600"
