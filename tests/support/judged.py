"""Attention of other libraries as `python -m attn_checks judge` calls it: `nox -s judge`."""

import numpy as np


def jax(query, key, value, mask=None, is_causal=False):
    from jax.nn import dot_product_attention

    width = value.shape[-1]  # which must be that of the keys
    value = np.pad(value, [(0, 0)] * 3 + [(0, key.shape[-1] - width)])
    arrays = (np.swapaxes(array, 1, 2) for array in (query, key, value))  # it has lengths before heads
    return dot_product_attention(*arrays, mask=mask, is_causal=is_causal).swapaxes(1, 2)[..., :width]


def onnx_reference(*given, **options):
    from onnx.reference import ReferenceEvaluator

    model, inputs = onnx_model(*given, **options)
    return ReferenceEvaluator(model).run(None, inputs)[0]


def onnx_runtime(*given, **options):
    from onnxruntime import InferenceSession

    model, inputs = onnx_model(*given, **options)
    session = InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, inputs)[0]


def onnx_model(query, key, value, mask=None, is_causal=False):
    """One Attention node and its inputs: where it's causal, keys before the first query are those of a cache."""
    from onnx import helper

    past = max(key.shape[2] - query.shape[2], 0) if is_causal else 0
    inputs = {"Q": query, "K": key[:, :, past:], "V": value[:, :, past:], "mask": mask}
    outputs = {"Y": query, "present_key": key, "present_value": value}
    inputs |= {"past_key": key[:, :, :past], "past_value": value[:, :, :past]} if past else {}
    given = {name: array for name, array in inputs.items() if array is not None}
    names = [name if name in given else "" for name in inputs]
    declare = [
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), 4 * [None])
         for name, array in arrays.items()]
        for arrays in (given, outputs)
    ]  # fmt: skip
    node = helper.make_node("Attention", names, list(outputs), is_causal=int(is_causal))
    graph = helper.make_graph([node], "attention", *declare)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10), given
