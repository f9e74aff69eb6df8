// Makes HTTPRequest, HTTPResponse and Contract available in every file of these tests.
@_exported import HTTPContract
