# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock verify`: judge a saved game, a table or a piece of evidence, without secrets and without a network."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError
from client.system.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game, table or evidence."""
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
    from client.proof.audit import SavedGame, in_words, judged, judged_evidence, kind_of, read_input, write_evidence
    from p2p.log.records import FileError

    try:
        found = read_input(args.what, context)
    except FileError as error:
        context.log("verify/damaged", code=error.code, part=error.part)
        from client.proof import evidence_report

        kind = kind_of(Path(args.what))
        context.answer(evidence_report.damaged_text(error, kind), **evidence_report.damaged_fields(error, kind))
        return CHECK_FAILED
    if isinstance(found, SavedGame):
        from client.proof import audit_report

        verdict = judged(found, in_words(context.progress))
        text, fields = audit_report.log_text(found, verdict), audit_report.log_fields(found, verdict)
        if args.evidence is not None:
            written = [str(path) for path in write_evidence(args.evidence, verdict.proofs)]
            text += "\n\n" + "\n".join(written or [_("There is no fault to write evidence of.")])
            fields["evidence"] = written
        context.answer(text, **fields)
        return DONE if verdict.ok else CHECK_FAILED
    if args.evidence is not None:
        raise UserError(
            "verify/evidence",
            _("{what} is a piece of evidence already.").format(what=args.what),
            _("Judge it without --evidence."),
        )
    from client.proof import evidence_report

    genesis = SavedGame(found.log, {}).genesis
    proven = judged_evidence(found, in_words(context.progress))
    fields = evidence_report.evidence_fields(found, proven, genesis)
    context.answer(evidence_report.evidence_text(found, proven, genesis), **fields)
    return DONE if proven.kind == "guilty" else CHECK_FAILED
