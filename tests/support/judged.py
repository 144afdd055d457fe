"""Attention of other libraries as the judge calls it, where it can't call them itself: tools/libraries.py."""

import numpy as np


def equinox(query, key, value, mask=None):
    from equinox.nn._attention import dot_product_attention as one_head
    from jax import vmap
    from jax.numpy import broadcast_to

    arrays = [query, key, value]
    if mask is not None:
        *lead, _ = query.shape
        shape = (*lead, key.shape[2])
        arrays.append(broadcast_to(mask, shape))
    every_head = vmap(vmap(one_head))
    return every_head(*arrays)


def mlx(query, key, value, mask=None, is_causal=False):
    import mlx.core as mx

    arrays = map(mx.array, (query, key, value))
    if is_causal:
        mask = "causal"
    elif mask is not None:
        mask = mx.array(mask)
    scale = query.shape[-1] ** -0.5
    output = mx.fast.scaled_dot_product_attention(*arrays, scale=scale, mask=mask)
    return np.array(output)


def tinygrad(query, key, value, mask=None, is_causal=False):
    from tinygrad import Tensor

    query, key, value = map(Tensor, (query, key, value))
    if mask is not None:
        mask = Tensor(mask)
    output = query.scaled_dot_product_attention(key, value, attn_mask=mask, is_causal=is_causal)
    return output.numpy()


def transformers(query, key, value, mask=None):
    """What runs with attn_implementation="eager"; as in its models, a mask is 0 and the lowest number."""
    import torch
    from transformers.models.llama.modeling_llama import eager_attention_forward

    module = torch.nn.Module().eval()
    module.num_key_value_groups = 1
    if mask is not None:
        lowest = torch.finfo(query.dtype).min
        mask = torch.where(mask, 0.0, lowest)
    scale = query.shape[-1] ** -0.5
    output, _ = eager_attention_forward(module, query, key, value, mask, scale)
    return output.transpose(1, 2)


def onnx_reference(*given, **options):
    from onnx.reference import ReferenceEvaluator

    model, inputs = onnx_model(*given, **options)
    output, *_ = ReferenceEvaluator(model).run(None, inputs)
    return output


def onnx_runtime(*given, **options):
    from onnxruntime import InferenceSession

    model, inputs = onnx_model(*given, **options)
    written = model.SerializeToString()
    session = InferenceSession(written, providers=["CPUExecutionProvider"])
    output, *_ = session.run(None, inputs)
    return output


def onnx_model(query, key, value, mask=None, is_causal=False):
    """One Attention node and its inputs: where it's causal, earlier keys are those of a cache."""
    from onnx import helper

    def declared(arrays):
        for name, array in arrays.items():
            dtype = helper.np_dtype_to_tensor_dtype(array.dtype)
            yield helper.make_tensor_value_info(name, dtype, 4 * [None])

    cached = max(key.shape[2] - query.shape[2], 0) if is_causal else 0
    old_key, new_key = np.split(key, [cached], axis=2)
    old_value, new_value = np.split(value, [cached], axis=2)
    inputs = {"Q": query, "K": new_key, "V": new_value}
    if mask is not None:
        inputs["mask"] = mask
    if cached > 0:
        inputs["past_key"] = old_key
        inputs["past_value"] = old_value
    outputs = {"Y": query, "present_key": key, "present_value": value}
    places = ["Q", "K", "V", "mask", "past_key", "past_value"]
    names = [name if name in inputs else "" for name in places]
    node = helper.make_node("Attention", names, list(outputs), is_causal=int(is_causal))
    graph = helper.make_graph([node], "attention", [*declared(inputs)], [*declared(outputs)])
    operators = helper.make_opsetid("", 23)
    model = helper.make_model(graph, opset_imports=[operators], ir_version=10)
    return model, inputs
