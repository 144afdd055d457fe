def pytest_addoption(parser):
    told = "grade every made-up student, whole lessons and all hostile notebooks: minutes"
    parser.addoption("--whole-class", action="store_true", help=told)
