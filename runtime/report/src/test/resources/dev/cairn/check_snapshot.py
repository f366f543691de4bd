"""Opens a memory snapshot with Python's own pickle and checks what PyTorch's viewers rely on."""
import pickle
import pickletools
import sys

# What the viewer's own reader of pickles knows.
KNOWN = {
    "PROTO", "APPEND", "APPENDS", "LIST", "TUPLE", "NEWFALSE", "NEWTRUE", "NONE", "BINGET", "BININT", "BININT1",
    "BININT2", "EMPTY_DICT", "EMPTY_LIST", "FRAME", "LONG1", "LONG_BINGET", "MARK", "MEMOIZE", "BINPUT", "LONG_BINPUT",
    "SETITEMS", "SETITEM", "DICT", "SHORT_BINUNICODE", "BINUNICODE", "STOP", "EMPTY_TUPLE", "TUPLE1", "TUPLE2",
    "TUPLE3", "BINFLOAT"}
SEGMENT = {
    "device": int, "address": int, "total_size": int, "allocated_size": int, "active_size": int,
    "requested_size": int, "stream": int, "segment_type": str, "segment_pool_id": tuple, "is_expandable": bool,
    "frames": list, "blocks": list}
BLOCK = {"address": int, "size": int, "requested_size": int, "state": str, "frames": list}
FRAME = {"filename": str, "name": str, "line": int}


def check_types(value, schema):
    assert set(value) == set(schema), sorted(value)
    for key, kind in schema.items():
        assert type(value[key]) is kind, (key, type(value[key]))


def check_frames(frames):
    for frame in frames:
        check_types(frame, FRAME)


def check_segment(segment):
    check_types(segment, SEGMENT)
    assert segment["segment_type"] in ("small", "large")
    assert len(segment["segment_pool_id"]) == 2
    address = segment["address"]
    sums = {"active_allocated": 0, "active_pending_free": 0, "inactive": 0}
    requested = 0
    for block in segment["blocks"]:
        check_types(block, BLOCK)
        check_frames(block["frames"])
        assert block["address"] == address
        assert 0 <= block["requested_size"] <= block["size"]
        assert bool(block["frames"]) == (block["state"] == "active_allocated")
        address += block["size"]
        sums[block["state"]] += block["size"]
        requested += block["requested_size"]
    assert address == segment["address"] + segment["total_size"]
    assert segment["allocated_size"] == sums["active_allocated"]
    assert segment["active_size"] == sums["active_allocated"] + sums["active_pending_free"]
    assert segment["requested_size"] == requested


def check_appends(data):
    """A viewer in a browser can't take many elements at once."""
    since_mark = []
    for opcode, _, _ in pickletools.genops(data):
        assert opcode.name in KNOWN, opcode.name
        if opcode.name == "MARK":
            since_mark.append(0)
        elif opcode.name in ("APPENDS", "SETITEMS"):
            assert since_mark.pop() <= 1000
            # What was filled is an element of the list around it.
        elif opcode.name in ("EMPTY_DICT", "EMPTY_LIST") and since_mark:
            since_mark[-1] += 1


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    snapshot = pickle.loads(data)
    check_appends(data)
    assert set(snapshot) == {"segments", "device_traces", "allocator_settings"}
    for segment in snapshot["segments"]:
        check_segment(segment)
        assert segment["device"] < len(snapshot["device_traces"])
    for trace in snapshot["device_traces"]:
        assert type(trace) is list
        for event in trace:
            assert event["action"] == "oom" and event["size"] >= 0 and event["device_free"] >= 0
            check_frames(event["frames"])
    print("ok", len(snapshot["segments"]), sum(len(it["blocks"]) for it in snapshot["segments"]),
          sum(it["allocated_size"] for it in snapshot["segments"]))


main(sys.argv[1])
