// Makes HTTPRequest, HTTPResponse, Contract, and the errors of sockets available in every file of these tests.
@_exported import HTTPContract
@_exported import TestSupport
