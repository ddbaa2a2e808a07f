"""Sends each request with a generated Python client, and compares the decoded answer with the JSON.

Usage: decode.py openapi-python-client|openapi-generator FOLDER BASE_URL REQUESTS
"""

import importlib
import json
import pkgutil
import re
import sys

PACKAGE = "rollcall_client"


def snake_case(name: str) -> str:
    return re.sub(r"\W+", "_", re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name)).lower()


def python_client_caller(base_url):
    """openapi-python-client: one module for each operation. `parsed` is None if the answer was not decoded."""
    client = importlib.import_module(PACKAGE).Client(base_url=base_url)

    def call(operation_id, tag, arguments):
        name = f"{PACKAGE}.api.{snake_case(tag)}.{snake_case(operation_id)}"
        answer = importlib.import_module(name).sync_detailed(*arguments, client=client)
        assert answer.status_code == 200, answer.status_code
        return answer.parsed

    return call


def openapi_generator_caller(base_url):
    """openapi-generator: one class for each tag, with pydantic models."""
    generated = importlib.import_module(PACKAGE)
    client = generated.ApiClient(generated.Configuration(host=base_url))

    def call(operation_id, tag, arguments):
        name = "".join(word.capitalize() for word in snake_case(tag).split("_"))
        return getattr(getattr(generated, f"{name}Api")(client), snake_case(operation_id))(*arguments)

    return call


CALLERS = {
    "openapi-python-client": python_client_caller,
    "openapi-generator": openapi_generator_caller,
}


def import_all(package) -> int:
    names = [each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    for name in names:
        importlib.import_module(name)
    return len(names)


def main(generator: str, folder: str, base_url: str, requests: str) -> None:
    sys.path.insert(0, folder)
    modules = import_all(importlib.import_module(PACKAGE))
    call = CALLERS[generator](base_url)
    failures = []
    with open(requests, encoding="utf-8") as file:
        given = json.load(file)
    for each in given:
        try:
            decoded = call(each["operationId"], each["tag"], list(each["params"].values()))
            assert decoded is not None, "not decoded"
            if each["items"] is not None:
                # The lists of an open vote can grow meanwhile.
                assert len(decoded.items) >= each["items"], f"{len(decoded.items)} items"
        except Exception as error:  # Any failure is reported with its request.
            text = f"{type(error).__name__}: {error}"[:300]
            failures.append(f"{each['operationId']} {each['params']}: {text}")
    print(json.dumps({"modules": modules, "decoded": len(given) - len(failures), "failures": failures[:20]}))


main(*sys.argv[1:])
