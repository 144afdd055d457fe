"""What a function's source says without being run: the names that it takes from outside, and where they come from."""

import ast
import symtable
import sys
import types


def free_names(source):
    """Names that a function takes from outside, builtins included: in its body, its decorators and its head."""
    found, tables = set(), symtable.symtable(source, "", "exec").get_children()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        found |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
    head = ast.parse(source).body[0]
    parts = [*head.decorator_list, head.args, *filter(None, [head.returns])]
    return found | {node.id for part in parts for node in ast.walk(part) if isinstance(node, ast.Name)}


def attributes(tree, name):
    """The nodes that say `name.f`, for any f."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    ]


def imported(name, value):
    """The line that imports a value under a name, such as `import numpy as np`; "" if none does."""
    if isinstance(value, types.ModuleType):
        return f"import {value.__name__}" + (f" as {name}" if value.__name__ != name else "")
    own = getattr(value, "__name__", name)
    for module in (getattr(value, "__module__", None), "numpy"):
        if module != "__main__" and getattr(sys.modules.get(module), own, None) is value:
            return f"from {module} import {own}" + (f" as {name}" if own != name else "")
    return ""
