"""A network for a script's servers: each is in a namespace with two links that can be cut, one to the database and one to the callers."""
import os
import subprocess
import sys


def alone():
    """Starts this script again in a network that has nothing but what is made here. Needs root."""
    if os.environ.get("GATEHOUSE_NETWORK") != "own":
        command = ["unshare", "--net", sys.executable, *sys.argv]
        os.execvpe(command[0], command, os.environ | {"GATEHOUSE_NETWORK": "own"})


def run(*words):
    subprocess.run([str(word) for word in words], check=True)


class Network:
    """Two bridges, `database` and `callers`; the script and the database have the first address of each."""

    DATABASE, CALLERS = "10.77.0", "10.78.0"

    def __init__(self):
        run("ip", "link", "set", "lo", "up")
        for name, net in (("database", self.DATABASE), ("callers", self.CALLERS)):
            run("ip", "link", "add", name, "type", "bridge")
            run("ip", "address", "add", f"{net}.1/24", "dev", name)
            run("ip", "link", "set", name, "up")
        self.count = 1


class Room:
    """A namespace on the network; put `enter` before a command to run it there."""

    def __init__(self, network):
        network.count += 1
        number = network.count
        self.address = f"{network.CALLERS}.{number}"
        self.link = f"database-{number}"
        # A namespace lasts only as long as a process is in it, and servers come and go.
        self.keeper = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo made; exec sleep infinity"], stdout=subprocess.PIPE)
        self.keeper.stdout.readline()
        self.enter = ["nsenter", f"--net=/proc/{self.keeper.pid}/ns/net"]
        run(*self.enter, "ip", "link", "set", "lo", "up")
        for bridge, net in (("database", network.DATABASE), ("callers", network.CALLERS)):
            run("ip", "link", "add", f"{bridge}-{number}", "type", "veth", "peer", "name", bridge, "netns", self.keeper.pid)
            run("ip", "link", "set", f"{bridge}-{number}", "master", bridge, "up")
            run(*self.enter, "ip", "address", "add", f"{net}.{number}/24", "dev", bridge)
            run(*self.enter, "ip", "link", "set", bridge, "up")

    def cut(self):
        """Cuts the link between this namespace and the database, without telling either side."""
        run("bridge", "link", "set", "dev", self.link, "state", "0")

    def mend(self):
        run("bridge", "link", "set", "dev", self.link, "state", "3")

    def end(self):
        self.keeper.kill()
        self.keeper.wait()
