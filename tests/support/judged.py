"""Attention of other libraries as the judge calls it, where it can't call them itself: tools/libraries.py."""

import numpy as np


def equinox(query, key, value, mask=None):
    from equinox.nn._attention import dot_product_attention as one_head
    from jax import vmap
    from jax.numpy import broadcast_to

    masks = () if mask is None else (broadcast_to(mask, (*query.shape[:3], key.shape[2])),)
    return vmap(vmap(one_head))(query, key, value, *masks)


def mlx(query, key, value, mask=None, is_causal=False):
    import mlx.core as mx

    arrays = map(mx.array, (query, key, value))
    mask = "causal" if is_causal else None if mask is None else mx.array(mask)
    scale = query.shape[-1] ** -0.5
    return np.array(mx.fast.scaled_dot_product_attention(*arrays, scale=scale, mask=mask))


def tinygrad(query, key, value, mask=None, is_causal=False):
    from tinygrad import Tensor

    query, key, value = map(Tensor, (query, key, value))
    mask = None if mask is None else Tensor(mask)
    return query.scaled_dot_product_attention(key, value, attn_mask=mask, is_causal=is_causal).numpy()


def transformers(query, key, value, mask=None):
    """What runs with attn_implementation="eager"; as in its models, a mask is 0 and the lowest number."""
    import torch
    from transformers.models.llama.modeling_llama import eager_attention_forward

    module = torch.nn.Module().eval()
    module.num_key_value_groups = 1
    bias = None if mask is None else torch.where(mask, 0.0, torch.finfo(query.dtype).min)
    output, _ = eager_attention_forward(module, query, key, value, bias, query.shape[-1] ** -0.5)
    return output.transpose(1, 2)


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
    """One Attention node and its inputs: where it's causal, earlier keys are those of a cache."""
    from onnx import helper

    past = max(key.shape[2] - query.shape[2], 0) if is_causal else 0
    inputs = {"Q": query, "K": key[:, :, past:], "V": value[:, :, past:], "mask": mask}
    outputs = {"Y": query, "present_key": key, "present_value": value}
    inputs |= {"past_key": key[:, :, :past], "past_value": value[:, :, :past]} if past else {}
    given = {name: array for name, array in inputs.items() if array is not None}
    names = [name if name in given else "" for name in inputs]
    declare = [
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), 4 * [None])
            for name, array in arrays.items()
        ]
        for arrays in (given, outputs)
    ]
    node = helper.make_node("Attention", names, list(outputs), is_causal=int(is_causal))
    graph = helper.make_graph([node], "attention", *declare)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10), given
