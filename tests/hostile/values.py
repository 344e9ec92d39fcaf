"""Values that programs stumble over: a list of known ones, and many that hypothesis makes, always the same."""

import functools
import json

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

SENTINEL = "pwned"
"""The file that comes to be when something takes a value for a command."""

QUOTES = (
    "'",
    '"',
    "''",
    '""',
    "'\"'\"'",
    "it's",
    '"quoted"',
    "\\'",
    '\\"',
    "'\\''",
    '"\\""',
    "a'b\"c`d",
    "$'x'",
    '$"x"',
)
DOLLARS = (
    "$",
    "$$",
    "$HOME",
    "${HOME}",
    "$((1+1))",
    "a$b",
    "${a.b}",
    "$!",
    "$?",
    "$1",
    "$@",
    "${x:-y}",
    "$x$",
    "\\$HOME",
)
COMMANDS = (
    f"$(touch {SENTINEL})",
    f"`touch {SENTINEL}`",
    f"; touch {SENTINEL}",
    f"& touch {SENTINEL} &",
    f"| touch {SENTINEL}",
    f"\ntouch {SENTINEL}\n",
    f"&& touch {SENTINEL}",
    f"> {SENTINEL}",
    f">{SENTINEL}",
    f"<(touch {SENTINEL})",
    f'"; touch {SENTINEL}; "',
    f"'; touch {SENTINEL}; '",
    f"'$(touch {SENTINEL})'",
    f'"`touch {SENTINEL}`"',
    f"x[$(touch {SENTINEL})]",
    f"() {{ :;}}; touch {SENTINEL}",
    f"))$(touch {SENTINEL})((",
    f"$(touch${{IFS}}{SENTINEL})",
)
CONTROLS = tuple(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)))
"""All control characters, NUL too."""
BREAKS = (
    "\n",
    "\n\n",
    "a\n",
    "\na",
    "a\r\nb",
    "a\rb",
    "a\tb",
    "\\\n",
    "a\\\nb",
    "\n#x\n",
    "a\u2028b",
    "a\u2029b",
    "a\x85b",
)
UNICODE = (
    "\u2018x\u2019",
    "\u201cx\u201d",
    "\u201ex\u201f",
    "\u00abx\u00bb",
    "\u2032\u2033",
    "a\u00a0b",
    "\u3000",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\u202e" + "abc",
    "\u05d0\u05d1",
    "\u0639\u0631",
    "\u2066x\u2069",
    "\U0001f600",
    "\U0001f469\u200d\U0001f4bb",
    "e\u0301",
    "\u0301",
    "\u00e9",
    "\u5927",
    "\u2013\u2014\u2212",
    "\u00ad",
    "\ue000",
    "\U000f0000",
    "\U0010fffd",
    "\u0130\u0131",
    "\ufffd",
)
NOT_TEXT = ("\0", "a\0b", "\ud800", "a\udfffb", "\udc80")
"""What no argument or variable can hold, or what is not text; a manifest with them is refused."""
PATTERNS = (
    "*",
    "?",
    "[a-z]",
    "[!a]",
    "**/*",
    "~",
    "~root",
    "~/x",
    "{a,b}",
    "{1..3}",
    "+(a)",
    "!",
    "!!",
    "!x",
    "a!b",
    "^a",
    "a^b",
)
OPTIONS = (
    "-",
    "--",
    "-x",
    "--x",
    "--x=y",
    "-n",
    "-e",
    "=",
    "=x",
    "==",
    "a=b",
    "a=b=c",
    "A=1 B=2",
    "+x=1",
    "++y",
    "~z.w",
)
SYNTAX = (
    "#",
    "# x",
    "a # b",
    "#!",
    "#SBATCH --wrap=x",
    "\n#SBATCH --wrap=x",
    "# shellcheck disable=all",
    "shellcheck disable=SC2086",
    "(",
    ")",
    "((",
    "))",
    "[[",
    "]]",
    "{",
    "}",
    ";;",
    "&",
    "|",
    "<",
    ">",
    "<<EOF",
    "<<'SETUP'",
    "if",
    "fi",
    "then",
    "do",
    "done",
    "esac",
    "in",
    "function",
    "time",
    "select",
    "!",
    "fi done esac",
)
DELIMITERS = (
    "SETUP",
    "SETUP\n",
    "\nSETUP\n",
    " SETUP",
    "\tSETUP",
    "SETUP ",
    "SETUP;",
    "SETUP)",
    "SETUP_END_2",
    "SETUP\nSETUP_END_2\nSETUP_END_3",
    "setup",
    "PREPARE_1",
    "PREPARE_1\ntouch pwned\n",
    "PYTHON",
    "\nPYTHON\n",
    "DRIVER",
    "\nDRIVER\n",
    "TEXT",
    "EOF",
    "STEP",
)
TEMPLATES = (
    "{{ x }}",
    "{{",
    "}}",
    "{% raw %}",
    "{% endraw %}",
    "{## x ##}",
    "{#",
    "{{{x}}}",
    "${{",
    "${{ x }}",
    "$${{ x }}",
)
LISTS = (",", "a,b", ",,", "a,b=c", "a:b", ":", "a:b:c", ":ro", "/a:/b:ro", "a;b", "a|b", "a\\,b", "a\\:b", "#a")
BACKSLASHES = (
    "\\",
    "\\\\",
    "\\\\\\",
    "a\\",
    "\\a",
    "\\n",
    "\\x41",
    "\\0",
    "\\u0041",
    "\\ ",
    "C:\\x\\y",
    "\\e[0m",
    "%s",
    "%",
    "%%",
    "%n",
)
JSON_TEXTS = (
    '{"working_dir": "/a b", "pip": ["x>=1"]}',
    '{"a": {"b": [1, 2, "c\'d"]}}',
    "[console,'wandb']",
    json.dumps({"text": "\n\t\"'$`\\"}),
    '["$HOME", "`x`"]',
)
BLANKS = ("", " ", "  ", " a", "a ", " a ", "a  b", "\t", "a\tb", "\x0b", "\x0c")
SPELLINGS = (
    "null",
    "~",
    "true",
    "no",
    "on",
    "0755",
    "1_000",
    "1e-6",
    "0x1f",
    "12:30:45",
    ".inf",
    "2001-01-01",
    "<<",
    "&a",
    "*a",
    "!!str x",
    "- a",
    "? a",
    "|",
    ">",
    "@a",
    "`a",
    "%a",
)

CURATED: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            *QUOTES,
            *DOLLARS,
            *COMMANDS,
            *CONTROLS,
            *BREAKS,
            *UNICODE,
            *NOT_TEXT,
            *PATTERNS,
            *OPTIONS,
            *SYNTAX,
            *DELIMITERS,
            *TEMPLATES,
            *LISTS,
            *BACKSLASHES,
            *JSON_TEXTS,
            *BLANKS,
            *SPELLINGS,
        )
    )
)
EXAMPLES = 500
_PIECES = st.sampled_from([piece for piece in CURATED if piece and piece not in NOT_TEXT])
_ANY = st.text(max_size=20) | st.lists(_PIECES, min_size=2, max_size=5).map("".join)


@functools.cache
def made() -> tuple[str, ...]:
    """What hypothesis makes; the profile has no chance in it, so it is the same on every machine."""
    found: dict[str, None] = {}

    @settings(
        derandomize=True,
        database=None,
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(_ANY)
    def collect(value: str) -> None:
        found[value] = None

    collect()
    return tuple(found)


@functools.cache
def pool() -> tuple[str, ...]:
    """All values, each once: the known ones, the made ones, and made ones with known ones before and after."""
    known = [value for value in CURATED if value not in NOT_TEXT]
    values = dict.fromkeys((*CURATED, *made()))
    for number, value in enumerate(made()):
        before, after = known[number % len(known)], known[(7 * number + 3) % len(known)]
        values.update(dict.fromkeys((before + value, value + after, before + value + after)))
    return tuple(values)
