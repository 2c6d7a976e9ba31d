#!/usr/bin/env python3
"""A coms peer written from the description of the wire alone, sharing no code with the package it is tested against.

  peer.py serve <coms-dir> <name>          register, answer prompts, print what comes in as JSON lines
  peer.py send <endpoint> <style>          read envelopes from stdin (one JSON a line), write them to the endpoint in
                                           one of the styles below, print each line that comes back

A prompt whose text starts with "nack:" is refused with the rest of the text, "error:" is answered with an error,
"hold" is not answered; any other is answered with {"echo": <text>}.
"""
import json
import os
import socket
import sys
import threading
import time


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def lines_of(connection):
    held = b""
    while True:
        chunk = connection.recv(4096)
        if not chunk:
            break
        held += chunk
        while b"\n" in held:
            line, held = held.split(b"\n", 1)
            yield line
    if held:
        yield held


def exchange(endpoint, envelope):
    """Connect, write one line, read one line, close."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(10)
        connection.connect(endpoint)
        connection.sendall(json.dumps(envelope, ensure_ascii=False).encode("utf-8") + b"\n")
        for line in lines_of(connection):
            return json.loads(line)
    return None


class Peer:
    def __init__(self, root, name):
        self.name = name
        self.session = "py%d" % os.getpid()
        self.endpoint = os.path.join(root, "sockets", self.session + ".sock")
        self.agents = os.path.join(root, "projects", "default", "agents")
        for folder in (root, os.path.join(root, "sockets"), self.agents):
            os.makedirs(folder, mode=0o700, exist_ok=True)

    def register(self):
        entry = {
            "session_id": self.session, "name": self.name, "purpose": "python", "model": "none", "color": "blue",
            "pid": os.getpid(), "endpoint": self.endpoint, "cwd": os.getcwd(), "started_at": now(),
            "explicit": False, "version": 1, "heartbeat_at": now(),
        }
        path = os.path.join(self.agents, self.name + ".json")
        with open(path + ".tmp", "w") as file:
            json.dump(entry, file)
        os.rename(path + ".tmp", path)

    def respond(self, prompt, body):
        envelope = {
            "type": "response", "msg_id": prompt["msg_id"], "sender_session": self.session,
            "sender_endpoint": self.endpoint, "hops": prompt["hops"], "timestamp": now(),
        }
        envelope.update(body)
        say({"answered": exchange(prompt["sender_endpoint"], envelope)})

    def answer(self, line):
        envelope = json.loads(line)
        kind = envelope.get("type")
        if kind == "ping":
            card = {
                "name": self.name, "purpose": "python", "model": "none", "color": "blue",
                "context_used_pct": 1.5, "queue_depth": 2, "status": "fine",
            }
            return {"type": "pong", "msg_id": envelope["msg_id"], "agent_card": card}, None
        if kind == "prompt" and envelope["prompt"].startswith("nack:"):
            return {"type": "nack", "msg_id": envelope["msg_id"], "error": envelope["prompt"][5:]}, None
        say(envelope)
        after = None
        if kind == "prompt" and envelope["prompt"].startswith("error:"):
            after = {"response": None, "error": envelope["prompt"][6:]}
        elif kind == "prompt" and envelope["prompt"] != "hold":
            after = {"response": {"echo": envelope["prompt"]}}
        return {"type": "ack", "msg_id": envelope["msg_id"]}, after

    def handle(self, connection):
        with connection:
            for line in lines_of(connection):
                if not line.strip():
                    continue
                reply, after = self.answer(line)
                connection.sendall(json.dumps(reply).encode() + b"\r\n")
                if after is not None:
                    threading.Thread(target=self.respond, args=(json.loads(line), after), daemon=True).start()

    def serve(self):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(self.endpoint)
        listener.listen(64)
        self.register()
        say({"ready": self.endpoint})
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=self.handle, args=(connection,), daemon=True).start()


def pieces(envelopes, style):
    texts = [json.dumps(envelope, ensure_ascii=False) for envelope in envelopes]
    if style == "bytes":
        data = "".join(text + "\n" for text in texts).encode("utf-8")
        return [data[at:at + 1] for at in range(len(data))]
    if style == "joined":
        return ["".join(text + "\n" for text in texts).encode("utf-8")]
    if style == "crlf":
        return [(text + "\r\n").encode("utf-8") for text in texts]
    if style == "blank":
        return [("\n\r\n  \n" + text + "\n\n").encode("utf-8") for text in texts]
    if style == "unfinished":
        return ["\n".join(texts).encode("utf-8")]
    raise SystemExit("unknown style " + style)


def send(endpoint, style):
    envelopes = [json.loads(line) for line in sys.stdin if line.strip()]
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(20)
        connection.connect(endpoint)
        for piece in pieces(envelopes, style):
            connection.sendall(piece)
        connection.shutdown(socket.SHUT_WR)
        for line in lines_of(connection):
            say(json.loads(line))


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        Peer(sys.argv[2], sys.argv[3]).serve()
    else:
        send(sys.argv[2], sys.argv[3])
