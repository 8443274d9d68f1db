"""A PostgreSQL for one test or script, from Debian's package, in a folder that is removed with it."""
import os
import pathlib
import shutil
import subprocess
import tempfile


class Cluster:
    """A separate PostgreSQL, which does not run as root."""

    def __init__(self, network=None):
        """Listens on its socket only, or also at the first address of a network such as 10.77.0."""
        self.owner = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        self.programs = max(pathlib.Path("/usr/lib/postgresql").iterdir(), key=lambda path: int(path.name)) / "bin"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gh-", dir="/tmp"))
        if self.owner:
            shutil.chown(self.folder, "postgres", "postgres")
        self.data = self.folder / "data"
        self.run("initdb", "--no-sync", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "-D", self.data)
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write(f"unix_socket_directories = '{self.folder}'\nlisten_addresses = '{network + '.1' if network else ''}'\nmax_connections = 100\n")
        with open(self.data / "pg_hba.conf", "a", encoding="utf-8") as file:
            file.write(f"host all all {network}.0/24 trust\n" if network else "")
        self.control("start")
        self.url = f"postgresql://postgres@{str(self.folder).replace('/', '%2F')}/postgres"
        self.network_url = f"postgresql://postgres@{network}.1/postgres" if network else None

    def run(self, program, *words):
        command = [*self.owner, self.programs / program, *words]
        subprocess.run([str(word) for word in command], cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def control(self, *words):
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "60", "-l", self.folder / "log", *words)

    def signal(self, number):
        """Sends a signal to every process of the server, as if its machine stood still."""
        first = (self.data / "postmaster.pid").read_text(encoding="utf-8").split()[0]
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", first], capture_output=True, text=True, check=False).stdout.split()
        for pid in [first, *found]:
            try:
                os.kill(int(pid), number)
            except ProcessLookupError:
                pass

    def end(self):
        self.control("-m", "immediate", "stop")
        shutil.rmtree(self.folder)
