"""Message schedules and flows in files."""

from ppnsim.formats.reader import Reader, holds

READERS = (
    Reader(
        kind="messages between ranks", makes="Messages", home="ppnsim.messages.files.json", suffixes=(".json",),
        commands=("run",), function="parse_messages", takes=("data",), recognises=holds("loggp", "schedule"),
    ),
    Reader(
        kind="flows that share links", makes="Flows", home="ppnsim.messages.files.json", suffixes=(".json",),
        commands=("run",), function="parse_flows", takes=("data",), recognises=holds("star", "flows"),
    ),
)  # fmt: skip
