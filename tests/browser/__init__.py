"""A package, so that one browser and one page of JupyterLab serve all its tests: fixtures of scope "package"."""
