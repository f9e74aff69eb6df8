// Requests, answers and the contract, for every file of these tests.
@_exported import HTTPContract
