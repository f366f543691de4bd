"""What the scripts of this folder share: cases with their gradients, and files of tensors (safetensors, written without a library)."""

import json
import os
import struct

import torch

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/src/test/resources/oracle/"
TYPES = {torch.float64: "F64", torch.float32: "F32", torch.int64: "I64", torch.bool: "BOOL"}


def write(name, tensors, metadata):
    """Writes tensors by name, in the order of their names, with what the metadata says of them."""
    header = {"__metadata__": {"torch": torch.__version__, **metadata}}
    offset = 0
    parts = []
    for key in sorted(tensors):
        tensor = tensors[key].detach().contiguous()
        data = tensor.numpy().tobytes()
        header[key] = {"dtype": TYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, offset + len(data)]}
        parts.append(data)
        offset += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(ROOT + name, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


class Cases:
    """Uses of operators with their values and gradients."""

    def __init__(self, seed):
        torch.manual_seed(seed)
        self.tensors = {}
        self.cases = []

    def add(self, name, operator, function, operands, attributes=None, heads=None):
        """Computes a case: operands are tensors, or None where one is left out; floating-point ones get gradients."""
        operands = [o.clone().requires_grad_() if o is not None and o.is_floating_point() else o for o in operands]
        results = function(*operands)
        results = list(results) if isinstance(results, (tuple, list)) else [results]
        heads = heads or [torch.rand_like(r) + 0.1 for r in results]
        sum((r * h).sum() for r, h in zip(results, heads)).backward()
        for kind, values in (("operand", operands), ("result", results), ("head", heads)):
            for i, value in enumerate(values):
                if value is not None:
                    self.tensors[f"{name}/{kind}{i}"] = value
        for i, operand in enumerate(operands):
            if operand is not None and operand.requires_grad:
                self.tensors[f"{name}/gradient{i}"] = operand.grad if operand.grad is not None else torch.zeros_like(operand)
        self.cases.append({"name": name, "operator": operator, "attributes": attributes or {}, "operands": len(operands), "results": len(results)})

    def write(self, name):
        write(name, self.tensors, {"cases": json.dumps(self.cases, separators=(",", ":"))})
