"""One Spanish word for one thing, and one verb form for commands, over the whole catalogue."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

CATALOGUE = Path(__file__).parents[2] / "client" / "locale" / "es" / "LC_MESSAGES" / "starlock.po"

# English word, its Spanish word, and Spanish words that stand for something else or for nothing.
GLOSSARY = (
    ("abilit(y|ies)", "capacidad", "habilidad(es)?"),
    ("bank", "banca", "bancos?"),
    ("bid(s|ding)?", "puja", "subastas?|ofertas?"),
    ("bursts?", "estallido", "estrellas?"),
    ("chat", "charla", "chat"),
    ("dial", "dial", "discos?"),
    ("Enter", "Intro", "Enter"),
    ("(home|starting) sectors?", "sector inicial", "natal(es)?|hogar(es)?|origen"),
    ("inviter", "quien invita", "anfitrión"),
    ("lobby", "sala", "vestíbulo|antesala|sala de espera"),
    ("locks?", "cerrojo", "cerraduras?"),
    ("peers?", "participante", "par(es)?"),
    ("pin(s|ned)?", "bloquear", "inmoviliza[nr]?"),
    ("relays?", "repetidor", "repiten?"),
    ("resumed?", "reanudar", "retoma[r]?"),
    ("router", "router", "enrutador"),
    ("rulings?", "aclaración", "decisi(ón|ones)"),
    ("seats?", "asiento", "puestos?"),
    ("(ancient|printed|ship) parts?", "pieza", "componentes?"),
    ("shuffles?", "mezcla", "barajaduras?|barajado"),
    ("stacks?", "pila", "mont(ón|ones)"),
    ("stand-in", "suplente", "sustituto"),
    ("strongholds?", "bastión", "fortalezas?"),
    ("terminal", "el terminal", "(la|una) terminal"),
    ("tickets?", "invitación", "billetes?"),
    ("tracks?", "pista", "registros?|filas?"),
)
# Texts in which the forbidden word is right, by their beginning: it translates another word there.
EXCEPTIONS = ("[N | battles | dice | mine | chat",)  # what may be typed

# A resolved wait is a step for people. Ships, cards and the rules of the games move, are played and have a height.
STEP = re.compile(
    r"\b(heights?|([Aa]n?|[Tt]he|[Yy]our|[Nn]ewer|[Ll]ast|[Nn]ext|[Ll]ost|[Ee]very|[Nn]o) moves?|moved (as it|yet))\b"
    r"|^[Mm]oves?$"
)
PASO = re.compile(r"\b(alturas?|jugadas?)\b(?! por)", re.IGNORECASE)

# Commands, keys and options whose help begins with one of these verbs begin with an infinitive in Spanish.
VERBS = "add answer ask choose draw end follow go judge leave let list look open play propose say search send"
VERBS += " serve set show sign sit take write"
HELP = ("client/commands/", "client/session/deeds/", "client/fronts/screen/keys.py")


@cache
def catalogue() -> list[tuple[str, str, list[str]]]:
    """Every text, its translation and the modules that use it, without placeholders; all forms of a plural as one."""
    entries = []
    for entry in CATALOGUE.read_text("utf-8").strip().split("\n\n"):
        places = [place for line in re.findall("^#: (.*)$", entry, re.MULTILINE) for place in line.split()]
        text, translated = entry.split("\nmsgstr", 1)
        entries.append((joined(text.partition("msgid")[2]), joined(translated), places))
    return entries


def joined(lines: str) -> str:
    """The text of these lines of the catalogue: what stands between quotes."""
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"$', lines, re.MULTILINE))
    return re.sub(r"\{[^{}]*\}", "", text)


def test_a_thing_has_one_name_in_spanish() -> None:
    suspicious = re.compile("|".join(rf"\b({forbidden})\b" for _english, _spanish, forbidden in GLOSSARY))
    wrong = [
        f"{text!r}: {found[0]!r} instead of {spanish!r}"
        for text, translated, _places in catalogue()
        if suspicious.search(translated)
        for english, spanish, forbidden in GLOSSARY
        if re.search(rf"\b({english})\b", text)
        and (found := re.search(rf"\b({forbidden})\b", translated))
        and not text.startswith(EXCEPTIONS)
    ]
    assert wrong == []


def test_spanish_quotes_with_angle_marks() -> None:
    wrong = [translated for _text, translated, _places in catalogue() if re.search("[“”]", translated)]
    assert wrong == []


def test_a_resolved_wait_is_a_step_in_both_languages() -> None:
    wrong = [
        f"{text!r}: {translated!r}"
        for text, translated, places in catalogue()
        if not all(place.startswith(("client/games/", "engine/")) for place in places)
        and (STEP.search(text) or (PASO.search(translated) and not re.search(r"\bplay(ed)?\b", text)))
    ]
    assert wrong == []


def test_the_help_of_a_command_begins_with_an_infinitive_in_spanish() -> None:
    wrong = [
        f"{text!r}: {translated!r}"
        for text, translated, places in catalogue()
        if any(place.startswith(HELP) for place in places)
        and " " in text
        and text.split()[0] in VERBS.split()
        and not re.match(r"(no )?\w*[aeiáéí]r(se|l[aeo]s?|me)?\b", translated)
    ]
    assert wrong == []
