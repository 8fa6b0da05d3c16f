"""Compares ramure-nets with onnxruntime: the same network, the same positions, one thread.

    pip install numpy onnx onnxruntime
    python compare.py make network.onnx          # a residual network of Connect 4, with random weights: four blocks of 64 filters
    cargo run --release -p ramure-nets --example measure network.onnx outputs.txt
    python compare.py check network.onnx outputs.txt
"""

import sys
import time

import numpy as np

FILTERS, BLOCKS = 64, 4


def make(path):
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random, nodes, tensors = np.random.default_rng(7), [], []

    def tensor(numbers):
        name = f"t{len(tensors)}"
        tensors.append(numpy_helper.from_array(numbers.astype(np.float32), name))
        return name

    def node(operator, inputs, output=None, **attributes):
        output = output or f"n{len(nodes)}"
        nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def convolution(x, inputs, outputs, size, shortcut=None):
        scale = np.sqrt(2 / (inputs * size * size))
        weights = random.normal(0, scale, (outputs, inputs, size, size))
        x = node("Conv", [x, tensor(weights)], kernel_shape=[size] * 2, pads=[size // 2] * 4)
        ranges = [(0.5, 1.0), (-0.1, 0.1), (-0.1, 0.1), (0.5, 1.5)]
        x = node("BatchNormalization", [x] + [tensor(random.uniform(*r, outputs)) for r in ranges])
        if shortcut:
            x = node("Add", [x, shortcut])
        return node("Relu", [x])

    def layer(x, inputs, outputs, name=None):
        weights = random.normal(0, 1 / np.sqrt(inputs), (outputs, inputs))
        return node("Gemm", [x, tensor(weights), tensor(random.normal(0, 0.1, outputs))], name, transB=1)

    x = convolution("planes", 2, FILTERS, 3)
    for _ in range(BLOCKS):
        x = convolution(convolution(x, FILTERS, FILTERS, 3), FILTERS, FILTERS, 3, shortcut=x)
    layer(node("Flatten", [convolution(x, FILTERS, 2, 1)]), 84, 7, "policy")
    hidden = node("Relu", [layer(node("Flatten", [convolution(x, FILTERS, 1, 1)]), 42, 32)])
    node("Tanh", [layer(hidden, 32, 1)], "value")

    def info(name, *dims):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *dims])

    graph = helper.make_graph(nodes, "residual", [info("planes", 2, 6, 7)], [info("policy", 7), info("value", 1)], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def check(path, outputs):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    rows = np.loadtxt(outputs, dtype=np.float32)
    planes = rows[:, :84].reshape(-1, 2, 6, 7)
    policy, value = session.run(["policy", "value"], {"planes": planes})
    difference = np.abs(np.hstack([policy, value]) - rows[:, 84:]).max()
    print(f"{len(rows)} positions, greatest difference {difference:.2g} (logits up to {np.abs(policy).max():.1f})")
    for size in [1, 8, 64, 256]:
        batch, rounds = np.resize(planes, (size, 2, 6, 7)), max(1, 256 // size)
        times = []
        for _ in range(15):
            start = time.perf_counter()
            for _ in range(rounds):
                session.run(None, {"planes": batch})
            times.append((time.perf_counter() - start) / rounds / size)
        print(f"{size:5}   {min(times) * 1e6:.1f} microseconds per position")
    if difference > 1e-4:
        sys.exit("the outputs differ by more than 1e-4")


{"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
