"""Writes gradients.safetensors: one use of each operator that has a gradient, with PyTorch's results and gradients in float64.

Run it with a Python that has PyTorch 1.13 or later: python3 gradients.py
"""

import math

import torch
import torch.nn.functional as F

from oracle import Cases


def values(*shape):
    """Numbers whose magnitudes lie between 0.1 and 1.6, so that no kink is near."""
    signs = torch.where(torch.rand(*shape, dtype=torch.float64) < 0.5, -1.0, 1.0).double()
    return signs * (0.1 + 1.5 * torch.rand(*shape, dtype=torch.float64))


def positive(*shape):
    return values(*shape).abs()


def longs(*numbers):
    return torch.tensor(numbers, dtype=torch.int64)


def elementwise(c):
    x = values(3, 4)
    for operator, function in {
        "Abs": torch.abs, "Neg": torch.neg, "Exp": torch.exp, "Sin": torch.sin, "Cos": torch.cos, "Tan": torch.tan, "Tanh": torch.tanh,
        "Sinh": torch.sinh, "Cosh": torch.cosh, "Atan": torch.atan, "Asinh": torch.asinh, "Sigmoid": torch.sigmoid, "Erf": torch.erf,
        "Relu": torch.relu, "Softplus": F.softplus, "Softsign": F.softsign, "Mish": F.mish, "HardSwish": F.hardswish,
        "Reciprocal": torch.reciprocal, "Identity": lambda a: a * 1,
    }.items():
        c.add(operator, operator, function, [x])
    for operator, function in {"Log": torch.log, "Sqrt": torch.sqrt}.items():
        c.add(operator, operator, function, [positive(3, 4)])
    for operator, function in {"Asin": torch.asin, "Acos": torch.acos, "Atanh": torch.atanh}.items():
        c.add(operator, operator, function, [values(3, 4) * 0.5])
    c.add("Acosh", "Acosh", torch.acosh, [positive(3, 4) + 1.5])
    c.add("LeakyRelu", "LeakyRelu", lambda a: F.leaky_relu(a, 0.25), [x], {"alpha": 0.25})
    c.add("Elu", "Elu", lambda a: F.elu(a, 1.5), [x], {"alpha": 1.5})
    c.add("Celu", "Celu", lambda a: F.celu(a, 1.5), [x], {"alpha": 1.5})
    # ONNX's defaults are PyTorch's numbers as 32-bit floats.
    alpha, gamma = (torch.tensor(n, dtype=torch.float32).double() for n in (1.6732632423543772, 1.0507009873554805))
    c.add("Selu", "Selu", lambda a: gamma * (a.clamp(min=0) + alpha * (a.clamp(max=0).exp() - 1)), [x])
    c.add("ThresholdedRelu", "ThresholdedRelu", lambda a: F.threshold(a, 0.75, 0.0), [x], {"alpha": 0.75})
    c.add("HardSigmoid", "HardSigmoid", lambda a: torch.clamp(0.25 * a + 0.5, 0, 1), [values(3, 4) * 2], {"alpha": 0.25, "beta": 0.5})
    c.add("Gelu", "Gelu", F.gelu, [x])
    c.add("Gelu-tanh", "Gelu", lambda a: 0.5 * a * (1 + torch.tanh(math.sqrt(2 / math.pi) * (a + 0.044715 * a**3))), [x], {"approximate": "tanh"})
    c.add("Clip", "Clip", lambda a, lo, hi: torch.clamp(a, -0.5, 0.75), [x, torch.tensor(-0.5).double(), torch.tensor(0.75).double()])
    c.add("PRelu", "PRelu", lambda a, s: torch.where(a > 0, a, a * s), [x, values(4)])
    c.add("Swish", "Swish", lambda a: a * torch.sigmoid(1.25 * a), [x], {"alpha": 1.25})
    y = values(4)
    for operator, function in {"Add": torch.add, "Sub": torch.sub, "Mul": torch.mul, "Div": torch.div}.items():
        c.add(operator, operator, function, [x, values(3, 4)])
        c.add(operator + "-broadcast", operator, function, [x, y])
        c.add(operator + "-broadcast-both", operator, function, [values(2, 1, 4), values(3, 1)])
    c.add("Pow", "Pow", torch.pow, [positive(3, 4), values(4)])
    c.add("Max", "Max", torch.maximum, [x, y])
    c.add("Min", "Min", torch.minimum, [x, y])
    c.add("Sum", "Sum", lambda a, b, d: a + b + d, [x, y, values(3, 1)])
    c.add("Mean", "Mean", lambda a, b, d: (a + b + d) / 3, [x, y, values(3, 1)])
    c.add("Where", "Where", torch.where, [torch.tensor([True, False, True, False]), x, values(3, 1)])


def reductions(c):
    x = values(2, 3, 4)
    for operator, function in {
        "ReduceSum": lambda a, d, k: a.sum(d, keepdim=k), "ReduceMean": lambda a, d, k: a.mean(d, keepdim=k),
        "ReduceMax": lambda a, d, k: a.amax(d, keepdim=k), "ReduceMin": lambda a, d, k: a.amin(d, keepdim=k),
        "ReduceL1": lambda a, d, k: a.abs().sum(d, keepdim=k), "ReduceL2": lambda a, d, k: (a * a).sum(d, keepdim=k).sqrt(),
        "ReduceLogSumExp": lambda a, d, k: torch.logsumexp(a, d, keepdim=k), "ReduceSumSquare": lambda a, d, k: (a * a).sum(d, keepdim=k),
    }.items():
        c.add(operator, operator, lambda a, _, f=function: f(a, (0, 2), True), [x, longs(0, 2)], {"keepdims": 1})
        c.add(operator + "-dropped", operator, lambda a, _, f=function: f(a, (1,), False), [x, longs(-2)], {"keepdims": 0})
    c.add("ReduceProd", "ReduceProd", lambda a, _: a.prod(1, keepdim=True), [x, longs(1)])
    with_zero = x.clone()
    with_zero[0, 1, 2] = 0
    c.add("ReduceProd-zero", "ReduceProd", lambda a, _: a.prod(1, keepdim=True), [with_zero, longs(1)])
    c.add("CumSum", "CumSum", lambda a, _: a.cumsum(1), [x, torch.tensor(1)])
    c.add("CumSum-reverse", "CumSum", lambda a, _: a.flip(1).cumsum(1).flip(1), [x, torch.tensor(1)], {"reverse": 1})
    c.add("Softmax", "Softmax", lambda a: F.softmax(a, 1), [x], {"axis": 1})
    c.add("LogSoftmax", "LogSoftmax", lambda a: F.log_softmax(a, -1), [x], {"axis": -1})


def products(c):
    c.add("MatMul", "MatMul", torch.matmul, [values(3, 4), values(4, 2)])
    c.add("MatMul-batch", "MatMul", torch.matmul, [values(2, 1, 3, 4), values(5, 4, 2)])
    c.add("MatMul-vector", "MatMul", torch.matmul, [values(4), values(2, 4, 3)])
    c.add("MatMul-vectors", "MatMul", torch.matmul, [values(4), values(4)])
    for a in (0, 1):
        for b in (0, 1):
            x, y = values(*((4, 3) if a else (3, 4))), values(*((2, 4) if b else (4, 2)))
            c.add(f"Gemm-{a}{b}", "Gemm", lambda m, n, o, a=a, b=b: 0.5 * (m.t() if a else m) @ (n.t() if b else n) + 1.5 * o, [x, y, values(2)],
                  {"transA": a, "transB": b, "alpha": 0.5, "beta": 1.5})
    c.add("Einsum", "Einsum", lambda a, b: torch.einsum("bij,bjk->bik", a, b), [values(2, 3, 4), values(2, 4, 2)], {"equation": "bij,bjk->bik"})


def movement(c):
    x = values(2, 3, 4)
    c.add("Reshape", "Reshape", lambda a, _: a.reshape(6, 4) * 1, [x, longs(6, -1)])
    c.add("Flatten", "Flatten", lambda a: a.reshape(2, 12) * 1, [x])
    c.add("Squeeze", "Squeeze", lambda a, _: a.squeeze(1) * 1, [values(2, 1, 3), longs(1)])
    c.add("Unsqueeze", "Unsqueeze", lambda a, _: a.unsqueeze(1) * 1, [x, longs(1)])
    c.add("Transpose", "Transpose", lambda a: a.permute(2, 0, 1) * 1, [x], {"perm": [2, 0, 1]})
    c.add("Expand", "Expand", lambda a, _: a.expand(2, 3, 4) * 1, [values(3, 1), longs(2, 3, 4)])
    c.add("Tile", "Tile", lambda a, _: a.repeat(2, 1, 3), [x, longs(2, 1, 3)])
    c.add("Concat", "Concat", lambda a, b: torch.cat([a, b], 1), [x, values(2, 2, 4)], {"axis": 1})
    c.add("Split", "Split", lambda a, _: torch.split(a, [1, 2], 1), [x, longs(1, 2)], {"axis": 1})
    c.add("Slice", "Slice", lambda a, *_: a[:, 1:3, 0:4:2] * 1, [x, longs(1, 0), longs(3, 4), longs(1, 2), longs(1, 2)])
    c.add("Slice-reverse", "Slice", lambda a, *_: a.flip(2)[:, :, ::2] * 1, [x, longs(-1), longs(-9), longs(2), longs(-2)])
    c.add("Pad", "Pad", lambda a, *_: F.pad(a, (1, 2, 0, 1), value=0.5), [x, longs(0, 0, 1, 0, 1, 2), torch.tensor(0.5).double()])
    c.add("Pad-reflect", "Pad", lambda a, _: F.pad(a, (2, 1), mode="reflect"), [x, longs(0, 0, 2, 0, 0, 1)], {"mode": "reflect"})
    c.add("Pad-edge", "Pad", lambda a, _: F.pad(a, (2, 1), mode="replicate"), [x, longs(0, 0, 2, 0, 0, 1)], {"mode": "edge"})
    c.add("Trilu", "Trilu", lambda a: a.tril(), [x], {"upper": 0})
    c.add("DepthToSpace", "DepthToSpace", lambda a: F.pixel_shuffle(a, 2), [values(1, 8, 2, 3)], {"blocksize": 2, "mode": "CRD"})
    c.add("Gather", "Gather", lambda a, i: a[:, i], [x, torch.tensor([[0, 2], [2, 2]])], {"axis": 1})
    c.add("GatherElements", "GatherElements", lambda a, i: torch.gather(a, 1, i), [x, torch.randint(0, 3, (2, 5, 4))], {"axis": 1})
    c.add("GatherND", "GatherND", lambda a, i: a[i[:, 0], i[:, 1]], [x, torch.tensor([[0, 2], [1, 1], [0, 2]])])
    c.add("ScatterElements", "ScatterElements", lambda a, i, u: a.scatter(1, i, u), [x, torch.tensor([[[2, 0, 1, 2]], [[1, 1, 0, 0]]]), values(2, 1, 4)],
          {"axis": 1})
    c.add("ScatterElements-add", "ScatterElements", lambda a, i, u: a.scatter_add(1, i, u), [x, torch.randint(0, 3, (2, 5, 4)), values(2, 5, 4)],
          {"axis": 1, "reduction": "add"})
    c.add("ScatterND", "ScatterND", lambda a, i, u: a.index_put((i[:, 0], i[:, 1]), u), [x, torch.tensor([[0, 2], [1, 1]]), values(2, 4)])


def windows(c):
    conv = {"dilations": "dilation", "strides": "stride", "group": "groups"}
    for name, shape, weight, pads, attributes in (
        ("Conv", (2, 3, 5, 6), (4, 3, 3, 3), (0, 0), {}), ("Conv-strides", (2, 3, 7, 6), (4, 3, 3, 2), (1, 1), {"strides": [2, 3]}),
        ("Conv-dilations", (1, 2, 9, 8), (3, 2, 3, 3), (2, 1), {"dilations": [2, 3]}), ("Conv-group", (2, 4, 5, 5), (6, 2, 3, 3), (1, 1), {"group": 2}),
        ("Conv-depthwise", (1, 3, 6, 5), (3, 1, 3, 3), (1, 1), {"group": 3, "strides": [2, 2]}), ("Conv-1d", (2, 3, 8), (4, 3, 3), (1,), {"strides": [2]}),
        ("Conv-3d", (1, 2, 4, 3, 4), (2, 2, 2, 2, 2), (1, 0, 1), {}),
    ):
        function = [F.conv1d, F.conv2d, F.conv3d][len(shape) - 3]
        given = {conv[k]: v for k, v in attributes.items()}
        c.add(name, "Conv", lambda x, w, b, f=function, p=pads, g=given: f(x, w, b, padding=p, **g), [values(*shape), values(*weight), values(weight[0])],
              {**attributes, "pads": list(pads) * 2})
    c.add("Conv-uneven-pads", "Conv", lambda x, w: F.conv2d(F.pad(x, (2, 0, 1, 3)), w), [values(1, 2, 4, 5), values(3, 2, 3, 3)], {"pads": [1, 2, 3, 0]})
    c.add("ConvTranspose", "ConvTranspose", F.conv_transpose2d, [values(2, 3, 4, 3), values(3, 4, 3, 3), values(4)])
    c.add("ConvTranspose-strides", "ConvTranspose",
          lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1, groups=2), [values(1, 4, 3, 4), values(4, 2, 3, 3)],
          {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1], "group": 2})
    distinct = (torch.randperm(2 * 3 * 6 * 5).double() / 20 - 4).reshape(2, 3, 6, 5)
    c.add("MaxPool", "MaxPool", lambda x: F.max_pool2d(x, 3, 2, 1), [distinct], {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]})
    c.add("MaxPool-dilations", "MaxPool", lambda x: F.max_pool2d(x, 2, 1, 0, 2), [distinct], {"kernel_shape": [2, 2], "dilations": [2, 2]})
    c.add("MaxPool-ceil", "MaxPool", lambda x: F.max_pool2d(x, 2, 2, 0, ceil_mode=True), [distinct],
          {"kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 1})
    for include in (0, 1):
        c.add(f"AveragePool-{include}", "AveragePool", lambda x, i=include: F.avg_pool2d(x, 3, 2, 1, count_include_pad=bool(i)), [distinct],
              {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1], "count_include_pad": include})
    c.add("GlobalAveragePool", "GlobalAveragePool", lambda x: x.mean((2, 3), keepdim=True), [distinct])
    c.add("GlobalMaxPool", "GlobalMaxPool", lambda x: x.amax((2, 3), keepdim=True), [distinct])
    c.add("LRN", "LRN", lambda x: F.local_response_norm(x, 3, 0.05, 0.75, 1.5), [values(2, 5, 3, 2)], {"size": 3, "alpha": 0.05, "beta": 0.75, "bias": 1.5})


def normalisations(c):
    x = values(4, 3, 2, 5)
    c.add("BatchNormalization-training", "BatchNormalization",
          lambda a, s, b, m, v: F.batch_norm(a, None, None, s, b, True, 0.1, 1e-3),
          [x, positive(3), values(3), values(3), positive(3)], {"training_mode": 1, "epsilon": 1e-3})
    c.add("BatchNormalization", "BatchNormalization",
          lambda a, s, b, m, v: F.batch_norm(a, m.detach(), v.detach(), s, b, False, 0.1, 1e-3),
          [x, positive(3), values(3), values(3), positive(3)], {"epsilon": 1e-3})
    c.add("LayerNormalization", "LayerNormalization", lambda a, s, b: F.layer_norm(a, (2, 5), s, b, 1e-3), [x, values(2, 5), values(2, 5)],
          {"axis": 2, "epsilon": 1e-3})
    c.add("LayerNormalization-last", "LayerNormalization", lambda a, s: F.layer_norm(a, (5,), s, None, 1e-3), [x, values(5)], {"epsilon": 1e-3})
    c.add("InstanceNormalization", "InstanceNormalization", lambda a, s, b: F.instance_norm(a, None, None, s, b, True, 0.1, 1e-3),
          [x, positive(3), values(3)], {"epsilon": 1e-3})
    c.add("GroupNormalization", "GroupNormalization", lambda a, s, b: F.group_norm(a, 2, s, b, 1e-3), [values(3, 4, 3, 2), positive(4), values(4)],
          {"num_groups": 2, "epsilon": 1e-3})


def losses(c):
    logits, labels, weights = values(4, 5), torch.tensor([1, 4, 0, 1]), positive(5)
    for reduction in ("none", "mean", "sum"):
        c.add("SoftmaxCrossEntropyLoss-" + reduction, "SoftmaxCrossEntropyLoss",
              lambda a, t, w, r=reduction: F.cross_entropy(a, t, w.detach(), ignore_index=4, reduction=r), [logits, labels, weights],
              {"reduction": reduction, "ignore_index": 4})
        c.add("NegativeLogLikelihoodLoss-" + reduction, "NegativeLogLikelihoodLoss",
              lambda a, t, w, r=reduction: F.nll_loss(a, t, w.detach(), ignore_index=4, reduction=r), [logits, labels, weights],
              {"reduction": reduction, "ignore_index": 4})
    c.add("SoftmaxCrossEntropyLoss-space", "SoftmaxCrossEntropyLoss", lambda a, t: F.cross_entropy(a, t), [values(2, 3, 4), torch.randint(0, 3, (2, 4))])
    c.add("SoftmaxCrossEntropyLoss-large", "SoftmaxCrossEntropyLoss", lambda a, t: F.cross_entropy(a, t), [values(4, 5) * 1e4, labels])
    c.add("Attention", "Attention", lambda q, k, v: F.softmax(q @ k.transpose(-1, -2) / math.sqrt(4), -1) @ v,
          [values(2, 3, 5, 4), values(2, 3, 6, 4), values(2, 3, 6, 4)])


def sample(x, rows, columns):
    """Images N,C,H,W at positions N,h,w in elements: between four of them, and zero outside."""
    grid = torch.stack([2 * columns / (x.shape[3] - 1) - 1, 2 * rows / (x.shape[2] - 1) - 1], -1)
    return F.grid_sample(x, grid, align_corners=True)


def deformed(x, w, offset, bias, mask, stride, pad, dilation, group, offset_group):
    """A deformed convolution, tap by tap."""
    heads = offset.shape[2:]
    rows = (torch.arange(heads[0]).double() * stride[0] - pad[0])[:, None].expand(heads)
    columns = (torch.arange(heads[1]).double() * stride[1] - pad[1])[None, :].expand(heads)
    taps = [(i, j) for i in range(w.shape[2]) for j in range(w.shape[3])]
    parts = []
    for tap, (i, j) in enumerate(taps):
        channels = []
        for g, images in enumerate(x.chunk(offset_group, 1)):
            k = g * len(taps) + tap
            read = sample(images, rows + i * dilation[0] + offset[:, 2 * k], columns + j * dilation[1] + offset[:, 2 * k + 1])
            channels.append(read * mask[:, k:k + 1] if mask is not None else read)
        parts.append(torch.cat(channels, 1))
    read = torch.stack(parts, 2).chunk(group, 1)
    results = [torch.einsum("nctyx,oct->noyx", r, v.flatten(2)) for r, v in zip(read, w.chunk(group, 0))]
    result = torch.cat(results, 1)
    return result if bias is None else result + bias[None, :, None, None]


def aligned(x, regions, images, height, width, samples):
    """Means of samples in the bins of regions, which lie inside."""
    results = []
    for region, image in zip(regions.detach() - 0.5, images):
        left, top, right, bottom = region
        rows = top + (torch.arange(height * samples).double() + 0.5) * (bottom - top) / (height * samples)
        columns = left + (torch.arange(width * samples).double() + 0.5) * (right - left) / (width * samples)
        shape = (1, height * samples, width * samples)
        read = sample(x[image:image + 1], rows[None, :, None].expand(shape), columns[None, None, :].expand(shape))
        results.append(F.avg_pool2d(read, samples))
    return torch.cat(results)


def sampled(c):
    c.add("Det", "Det", torch.det, [values(2, 4, 4)])
    c.add("DeformConv", "DeformConv", lambda x, w, o, b, m: deformed(x, w, o, b, m, (2, 1), (1, 1), (1, 2), 1, 1),
          [values(2, 2, 5, 6), values(3, 2, 2, 2), values(2, 8, 3, 6), values(3), values(2, 4, 3, 6)],
          {"strides": [2, 1], "pads": [1, 1, 1, 1], "dilations": [1, 2]})
    c.add("DeformConv-groups", "DeformConv", lambda x, w, o: deformed(x, w, o, None, None, (1, 1), (0, 0), (1, 1), 2, 4),
          [values(1, 4, 4, 3), values(2, 2, 2, 2), values(1, 32, 3, 2)], {"group": 2, "offset_group": 4})
    regions = torch.tensor([[0.7, 0.9, 4.1, 3.3], [1.2, 1.1, 1.7, 2.3], [2.0, 0.6, 5.2, 2.5]], dtype=torch.float64)
    c.add("RoiAlign", "RoiAlign", lambda x, r, i: aligned(x, r, i, 2, 3, 2), [values(2, 2, 4, 6), regions, longs(0, 1, 1)],
          {"output_height": 2, "output_width": 3, "sampling_ratio": 2})


def main():
    cases = Cases(1)
    for family in (elementwise, reductions, products, movement, windows, normalisations, losses, sampled):
        family(cases)
    cases.write("gradients.safetensors")


main()
