"""What each output is called on disk."""

from __future__ import annotations

from bgsub.options.codecs import CODECS
from bgsub.options.table import EXPORTS, LAYERS, OUTPUTS
from bgsub.run.outputs import file_name, layers


def test_every_output_has_a_name_of_its_own():
    for codec in CODECS:
        assert len({file_name(name, codec) for name in OUTPUTS}) == len(OUTPUTS)


def test_an_output_shows_every_frame_or_is_an_export():
    assert layers(OUTPUTS) == list(LAYERS)
    assert set(EXPORTS) | set(LAYERS) == set(OUTPUTS)
