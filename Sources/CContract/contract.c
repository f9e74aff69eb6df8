#include "contract.h"

// Embedded by the C compiler: the same bytes as a Swift array literal take a minute to compile.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char contract_yaml[] = {
#embed "../../openapi/openapi.yaml"
};
const size_t contract_yaml_size = sizeof contract_yaml;

const unsigned char *contract_yaml_address(void) { return contract_yaml; }

static const unsigned char stream_contract_yaml[] = {
#embed "../../openapi/asyncapi.yaml"
};
const size_t stream_contract_yaml_size = sizeof stream_contract_yaml;

const unsigned char *stream_contract_yaml_address(void) { return stream_contract_yaml; }
