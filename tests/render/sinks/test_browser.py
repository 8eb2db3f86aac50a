"""That a browser plays what is written for people."""

from __future__ import annotations

import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bgsub.options.codecs import CODECS
from bgsub.render.sinks.open import open_sink
from bgsub.render.sinks.video import Encoding

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ATTEMPTS = 10
"""The page's time is not that of the decoder: it may be over before a frame is there."""
PAGE = """<video id=v muted src="{name}"></video><pre id=said>nothing</pre><script>
const said = text => document.getElementById("said").textContent = text;
v.onerror = () => said("error " + v.error.message);
v.onseeked = () => {{
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [v.videoWidth, v.videoHeight];
  const drawing = canvas.getContext("2d");
  drawing.drawImage(v, 0, 0);
  let colour = "unreadable";
  try {{ colour = [...drawing.getImageData(40, 30, 1, 1).data].join(","); }} catch (error) {{ colour = "tainted"; }}
  said(["seen", v.videoWidth, v.videoHeight, v.duration.toFixed(2), colour].join(" "));
}};
v.onloadeddata = () => v.currentTime = 0.5;
</script>"""


def shown(folder: Path) -> str:
    """Return what the page says when its time is over."""
    done = subprocess.run(
        [
            *(str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"),
            *(f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=10000", "--dump-dom"),
            (folder / "page.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout.partition('<pre id="said">')[2].partition("</pre>")[0]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt-get install chromium")
@pytest.mark.parametrize("codec", ["h264", "vp9", "av1"])
def test_chromium_plays_it(codec, tmp_path: Path):
    name = f"clip{CODECS[codec].suffix}"
    with open_sink(tmp_path / name, "video", encoding=Encoding(codec)) as sink:
        for t in range(25):
            sink.write(np.full((96, 128, 3), (200, 60, 40), np.uint8), Fraction(t, 25))
    (tmp_path / "page.html").write_text(PAGE.format(name=name))
    said = ""
    for _ in range(ATTEMPTS):
        said = shown(tmp_path)
        if said != "nothing":
            break
    kind, width, height, seconds, colour = said.split()
    assert (kind, width, height) == ("seen", "128", "96")
    assert float(seconds) == pytest.approx(1, abs=0.05)
    if colour not in ("tainted", "unreadable"):
        assert np.abs(np.array(list(map(int, colour.split(","))))[:3] - (200, 60, 40)).max() < 12
