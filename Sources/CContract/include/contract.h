#pragma once
#include <stddef.h>

/// The bytes of openapi/openapi.yaml, as they were when the program was built.
const unsigned char *contract_yaml_address(void);
extern const size_t contract_yaml_size;

/// The bytes of openapi/asyncapi.yaml, as they were when the program was built.
const unsigned char *stream_contract_yaml_address(void);
extern const size_t stream_contract_yaml_size;
