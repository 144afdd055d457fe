"""A check never raises: strange results and exceptions, of functions that may be right everywhere else."""

import random
import warnings
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn
from answers import changed


class Hostile(np.ndarray):
    """Raises whatever is asked of it."""

    def __getattribute__(self, name):
        raise RuntimeError

    __array__ = __len__ = __iter__ = __eq__ = __bool__ = __call__ = __float__ = __repr__ = __getattribute__


class OddTextError(Exception):
    def __str__(self):
        return self.args[0] if self.args else exit()


def put(a, place, value):
    """The array with another value in its first cell, or in its first row."""
    a = np.array(a, object if a.dtype.kind == "U" else float)
    a[(0,) * (place if a.ndim else 0)] = value
    return a


def nested():
    made = []
    made.append(made)
    return made


def deep(*given):
    return deep(*given)


SCOPE = {**globals(), "Decimal": Decimal, "Fraction": Fraction}
# What becomes of a result a.
RESULTS = """
None ... "text" b"bytes" 0 -1.5 True np.nan 10**400 1j int np NotImplemented nested() {} set() [] object()
range(3) iter([1]) a.tolist() list(a.ravel()) (a,) ((a,a),a) [a,None] np.zeros(0) np.zeros((2,3,0))
np.zeros((1,)*9) np.zeros((2,2)) np.zeros((7,5,3)) np.ones((1000,1000)) np.full(a.shape,np.nan)
np.full(a.shape,np.inf) np.full(a.shape,-np.inf) np.full(a.shape,True) np.full(a.shape,False)
np.full(a.shape,None) np.full(a.shape,"x") np.full(a.shape,1e308) np.full(a.shape,-5e-324)
np.full(a.shape,1+1j) np.full(a.shape,2**63) put(a,1,np.nan) put(a,1,np.inf) put(a,1,-np.inf) put(a,1,-1)
put(a,1,1e300) put(a,a.ndim,np.nan) put(a,a.ndim,np.inf) put(a,a.ndim,-1) put(a,a.ndim,None) a.astype("f2")
a.astype("f4") a.astype("c8") a.astype("i1") a.astype("u8") a.astype("?") a.astype("O") a.astype("U")
a.astype("g") a.astype(">f8") a.astype("M8[s]") a.astype("V8") a[None] a[...,None] a.T a.ravel() a[:1]
a.ravel()[:-1] np.flip(a) a.sum() a>0 [[1.0],[2.0,3.0]] [a,a[:1]] (x·for·x·in·a) {"result":a}
memoryview(b"abc") lambda:a np.ma.masked np.ma.masked_array(a,a!=a.ravel()[:1]) a.view(Hostile) Hostile(3)
np.asmatrix(a) np.broadcast_to(a,(2,*a.shape)) [Fraction(1,3)]*3 [Decimal("NaN")]*a.size
np.array([(1,2.0)],"i4,f8") np.random.random(a.shape) "\\ud800" ["\\ud800\\x00"]*len(a)
""".split()
# What becomes of all results r.
TOGETHER = """
r[::-1] (*r,r[0]) r[:-1] list(r) (r,r) iter(r) dict(enumerate(r)) np.array([*r,None],object) None
""".split()
# What is raised for the arguments g.
ERRORS = """
KeyError(("a",1)) KeyError() ValueError(g,{}) Exception(None) SystemExit("bye") StopIteration(4)
GeneratorExit() KeyboardInterrupt() UnicodeDecodeError("utf8",b"a",0,1,"odd") AttributeError()
AttributeError("x",name="T",obj=Hostile(3)) AttributeError(name="exp",obj=g[0]) NameError()
NameError("x",name="(") NameError(name=7) ModuleNotFoundError() ImportError(name="([") OSError(2,"no")
SyntaxError("odd",("file",1,2,"text")) SyntaxError(5) OddTextError() OddTextError(5)
OddTextError("\\ud800{0}%s\\x00") type("",(Exception,),{})() MemoryError() RecursionError()
np.linalg.LinAlgError("x") np.exceptions.AxisError(5,2) ValueError("x"*10**6)
ValueError("matmul:·operand·1·(size·3·is·different·from·4)") ValueError("broadcast·together·(2,)·()")
ValueError("broadcast·together·(,)·(,3)") IndexError("out·of·bounds") UnboundLocalError("variable·'('·x")
TypeError("'NoneType'") EOFError("input()") AssertionError(g)
ExceptionGroup("several",[ValueError(1),ExceptionGroup("more",[KeyError(2)])])
BaseExceptionGroup("base",[SystemExit(1)]) Warning("odd") BaseException(Hostile(3)) deep(*g) g[99] int(g[0])
{}[g] g[0].nothing nothing g[0]+"x" np.linalg.inv(g[0]) g[0]@np.ones((7,9)) eval("1+") next(iter(()))
np.zeros(3)[g[0]>0] max(g[0],g[0]) [*g][0][0,0,0,0,0] print("\\ud800"*300)
""".split()
# Which calls of the function go wrong: c counts the calls for each text of its arguments.
SOMETIMES = """
np.ndim(g[0])==1 np.ndim(g[0])==2 np.ndim(g[0])>2 g[-1]·is·None len(repr(g))%3==1 c[repr(g)]>1 len(c)==1
len(c)>1 len(c)>6 len(c)>20
""".split()
FUNCTIONS = """
np.exp int Hostile Hostile(3) check 'softmax' [] property() iter([]).__next__ lambda:(yield) {}.get
type('Odd',(),{'__call__':len})() lambda:0 lambda*g:np.exp
""".split()
_, _, W_Q, W_K, _ = attn.load_example()
MATRICES = {  # shape, and what checks it
    "query_projection": ((6, 4), lambda made: check.query_projection(made, W_K)),
    "its keys": ((6, 4), lambda made: check.query_projection(W_Q, made)),
    "two_heads": ((5, 10), check.two_heads),
    "puzzle": ((3, 2), lambda made: check.puzzle([2, 2], made, np.eye(3, 2), made)),
    "one_back": ((8, 8), check.one_back),
    "a letter": ((2,), lambda made: check.explain("00-row", made)),
}


def made(code, names):
    """The function of these names that some code is, with · for spaces."""
    return eval(f"lambda {names}: {code.replace('·', ' ')}", SCOPE)


def answer(exercise, change, draw):
    """A function that is right or makes a mistake, and on all inputs or some does something strange."""
    ways = [mistake.ways[0] for mistake in exercise.mistakes if mistake.ways]
    base = draw.choice([exercise.right, *draw.choice([[], ways])])
    together = made(draw.choice(TOGETHER), "*r")
    error = made(draw.choice(ERRORS), "*g")
    when = made(draw.choice(["True", draw.choice(SOMETIMES)]), "c, *g")
    calls = Counter()

    def returns(*given):
        results = base(*given)
        return together(*results) if isinstance(results, tuple) else together(results)

    def raises(*given):
        raise error(*given)

    strange = changed(base, made(change or draw.choice(RESULTS), "a"))
    if not change:
        strange = draw.choice([strange, returns, raises])

    def sometimes_strange(*given):
        calls[repr(given)] += 1
        return strange(*given) if when(calls, *given) else base(*given)

    return sometimes_strange


def told(number):
    """The feedback on a strange answer: each exercise meets each change first, all else is drawn."""
    draw = random.Random(number)
    names = [*check.EXERCISES, *MATRICES]
    turn, place = divmod(number, len(names))
    name = names[place]
    change = RESULTS[turn] if turn < len(RESULTS) else None
    if name in MATRICES:
        shape, checker = MATRICES[name]
        loud = draw.choice([0, 0.001, 1, 100])
        start = loud * np.random.default_rng(number).standard_normal(shape)
        strange = made(change or draw.choice(RESULTS), "a")(start)
    else:
        checker = getattr(check, name)
        strange = answer(check.EXERCISES[name], change, draw)
        if draw.random() < 0.02:
            strange = made(draw.choice(FUNCTIONS), "")()
    return checker(strange)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(10))
@np.errstate(all="ignore")
def test_a_check_never_raises(seed, in_kernel):
    """A tenth of 5,000 checks; the others begin at seeds from 10 to 99."""
    for number in range(seed, 5000, 100):
        with warnings.catch_warnings(action="ignore"):
            feedback = told(number)
        assert feedback.status in ("passed", "incorrect", "error", "not attempted"), number
        assert feedback.mistake != "check-failed", (number, feedback)
        texts = feedback._repr_mimebundle_().values()
        for text in [*texts, check.tutor(), str(check.progress())]:
            assert text.encode(), number
