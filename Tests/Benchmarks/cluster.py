"""A PostgreSQL for the benchmarks, on a disk, with the settings of Debian's package."""
import glob
import os
import subprocess
import tempfile

# PostgreSQL refuses to run as root; then it runs as the package's user.
OWNER = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []


class Cluster:
    """Has the package's settings, except for the socket."""

    def __init__(self):
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.folder = tempfile.mkdtemp(prefix="gh-", dir="/var/tmp")
        if OWNER:
            subprocess.run(["chown", "postgres", self.folder], check=True)
        self.run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "-D", self.folder + "/data")
        self.run("pg_ctl", "-D", self.folder + "/data", "-w", "-l", self.folder + "/log", "-o", f"-k {self.folder} -h ''", "start")
        self.url = f"postgresql://postgres@{self.folder.replace('/', '%2F')}/postgres"

    def run(self, program, *words):
        subprocess.run([*OWNER, f"{self.programs}/{program}", *words], check=True, cwd="/", stdout=subprocess.DEVNULL)

    def size(self):
        words = ["psql", "-h", self.folder, "-U", "postgres", "-Atc", "SELECT pg_database_size('postgres')"]
        return int(subprocess.run(words, capture_output=True, text=True, check=True).stdout)

    def stop(self):
        self.run("pg_ctl", "-D", self.folder + "/data", "-m", "immediate", "stop")
        subprocess.run(["rm", "-rf", self.folder], check=True)
