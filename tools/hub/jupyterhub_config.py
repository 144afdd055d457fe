"""The trial hub of tools/try_hub.py: any name logs in with one password, every student is a process of yours.

Fit for trying things out on 127.0.0.1 and for nothing else: there are no walls between these students.
"""

import json
import os
import pathlib

trial = json.loads(os.environ["TRIAL_HUB"])
home = pathlib.Path(trial["folder"])

c = get_config()  # noqa: F821  JupyterHub gives it
c.JupyterHub.bind_url = f"http://127.0.0.1:{trial['port']}"
c.JupyterHub.hub_ip, c.JupyterHub.hub_port = "127.0.0.1", trial["hub_port"]
c.JupyterHub.db_url = f"sqlite:///{home / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(home / "cookie_secret")
c.ConfigurableHTTPProxy.command = trial["proxy"]
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{trial['proxy_port']}"
c.ConfigurableHTTPProxy.pid_file = str(home / "proxy.pid")

c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = trial["password"]
c.Authenticator.allow_all = True

c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(home / "students" / "{username}")
c.Spawner.default_url = "/lab"
# what a real hub has as /etc/jupyter
c.Spawner.environment = {"JUPYTER_CONFIG_PATH": str(home / "etc")}
c.Spawner.args = ["--LabApp.expose_app_in_browser=True", *(["--allow-root"] if os.getuid() == 0 else [])]
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120
