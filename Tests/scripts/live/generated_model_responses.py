"""generated_model_responses.py FILE CONTRACT: the models of datamodel-code-generator take every recorded response, and every event in
it is one of the event models."""
import json
import sys

import pydantic
import yaml

import frames
import models


def schema_names(contract):
    """The names of the schemas of each JSON response, by operationId, status and media type."""
    names = {}
    for path in contract["paths"].values():
        for operation in path.values():
            if "responses" not in operation:
                continue
            for status, response in operation["responses"].items():
                if "$ref" in response:
                    response = contract["components"]["responses"][response["$ref"].split("/")[-1]]
                for media, content in response.get("content", {}).items():
                    if media in ("application/json", "application/problem+json"):
                        schema = content["schema"]
                        choices = schema.get("oneOf", [schema])
                        names[operation["operationId"], status, media] = [choice["$ref"].split("/")[-1] for choice in choices]
    return names


# Of the feed alone, so that no room's stream has them.
OF_THE_FEED = ("bid.outbid", "lot.next", "webhook.paused")


def main():
    names = schema_names(yaml.safe_load(open(sys.argv[2])))
    count = events = 0
    event = pydantic.TypeAdapter(models.KnownEvent)
    for line in open(sys.argv[1]):
        recorded = json.loads(line)
        operation, media = recorded["operation"], recorded["type"]
        found = names.get((operation, str(recorded["status"]), media)) or names.get((operation, "default", media))
        if found is None:
            continue
        failures = []
        for name in found:
            try:
                getattr(models, name).model_validate_json(recorded["body"])
                break
            except pydantic.ValidationError as error:
                failures.append(error)
        else:
            raise SystemExit(f"{recorded['operation']} {recorded['status']}: {failures}\n{recorded['body']}")
        count += 1
        for one in json.loads(recorded["body"]).get("events", []):
            # The feed of all rooms has each event beside its room and its cursor, and those that follow from others, which no room has.
            one = one.get("event", one)
            if one["type"] not in OF_THE_FEED:
                event.validate_python(one)
                events += 1
    # The frames of the other document are generated from it alone.
    frames.PlaceBidFrame(id="c1", type="placeBid", amount="120.00")
    print(f"datamodel-code-generator: {count} responses and {events} events parsed")


main()
