// Makes sockets and waiting available in every file of these tests.
@_exported import TestSupport
