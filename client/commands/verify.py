"""`starlock verify`: judge a saved game, a table or a piece of evidence, without secrets and without a network."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from client.context import Context
from client.errors import CHECK_FAILED, DONE
from client.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what is judged."""
    parser.add_argument(
        "what",
        metavar=_("FILE|TABLE"),
        help=_("a saved game (.star), a file of evidence, or the name of one of your tables"),
    )

    parser.add_argument(
        "--evidence",
        metavar=_("FOLDER"),
        type=Path,
        help=_("write a file of its own for each proven fault, which proves it to anybody"),
    )


def run(args: Namespace, context: Context) -> int:
    """Judge it: exit code 0 when it is intact, finished or not; 1 when anything is wrong with it."""
    from client import audit_report as report
    from client.audit import Log, in_words, judged, judged_evidence, read_input, write_evidence
    from p2p.log.records import FileError

    try:
        found = read_input(args.what, context)
    except FileError as error:
        context.log("verify/damaged", code=error.code, part=error.part)
        context.answer(report.damaged_text(error), **report.damaged_fields(error))
        return CHECK_FAILED
    if isinstance(found, Log):
        verdict = judged(found, in_words(context.progress))
        text, fields = report.log_text(found, verdict), report.log_fields(found, verdict)
        if args.evidence is not None:
            written = [str(path) for path in write_evidence(args.evidence, verdict.proofs)]
            text += "\n\n" + "\n".join(written or [_("There is no fault to write evidence of.")])
            fields["evidence"] = written
        context.answer(text, **fields)
        return DONE if verdict.ok else CHECK_FAILED
    genesis = Log(found.log, {}).genesis
    proven = judged_evidence(found, in_words(context.progress))
    context.answer(report.evidence_text(proven, genesis), **report.evidence_fields(found, proven, genesis))
    return DONE if proven.kind == "guilty" else CHECK_FAILED
