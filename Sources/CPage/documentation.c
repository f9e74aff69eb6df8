#include "documentation.h"

// The page of the documentation and the articles, embedded as the page is; the articles in the order of the list that readers see. Tests
// compare with the folders.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char GettingStarted[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/GettingStarted.md"
};
static const unsigned char ATour[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/ATour.md"
};
static const unsigned char UsingTheAPI[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/UsingTheAPI.md"
};
static const unsigned char OtherSystems[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/OtherSystems.md"
};
static const unsigned char Voice[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/Voice.md"
};
static const unsigned char Webhooks[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/Webhooks.md"
};
static const unsigned char JavaScriptClient[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/JavaScriptClient.md"
};
static const unsigned char PythonClient[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/PythonClient.md"
};
static const unsigned char WebPage[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/WebPage.md"
};
static const unsigned char Refusals[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/Refusals.md"
};
static const unsigned char Guarantees[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/Guarantees.md"
};
static const unsigned char problem_codes[] = {
#embed "../../openapi/problem-codes.md"
};
static const unsigned char permission_rules[] = {
#embed "../../openapi/permission-rules.md"
};
static const unsigned char AuctionClient[] = {
#embed "../../Sources/AuctionClientCore/AuctionClient.docc/AuctionClient.md"
};
static const unsigned char SigningIn[] = {
#embed "../../Sources/AuctionClientCore/AuctionClient.docc/SigningIn.md"
};
static const unsigned char ABiddingScreen[] = {
#embed "../../Sources/AuctionClientCore/AuctionClient.docc/ABiddingScreen.md"
};
static const unsigned char Configuring[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/Configuring.md"
};
static const unsigned char Operations[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/Operations.md"
};
static const unsigned char HTTPConformance[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/HTTPConformance.md"
};
static const unsigned char Measuring[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/Measuring.md"
};
static const unsigned char AuctionServer[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/AuctionServer.md"
};
static const unsigned char TheWayOfOneBid[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/TheWayOfOneBid.md"
};
static const unsigned char WhenTheLogFails[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/WhenTheLogFails.md"
};
static const unsigned char Decisions[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/Decisions.md"
};
static const unsigned char DecisionsOnTheCore[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/DecisionsOnTheCore.md"
};
static const unsigned char DecisionsOnTheLog[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/DecisionsOnTheLog.md"
};
static const unsigned char DecisionsOnHTTP[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/DecisionsOnHTTP.md"
};
static const unsigned char Glossary[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/Glossary.md"
};
static const unsigned char AddingAFormat[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/AddingAFormat.md"
};
static const unsigned char AddingAPermissionRule[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/AddingAPermissionRule.md"
};
static const unsigned char AddingAnEventKind[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/AddingAnEventKind.md"
};
static const unsigned char AddingARoute[] = {
#embed "../../Sources/AuctionServer/AuctionServer.docc/AddingARoute.md"
};
static const unsigned char StateMachines[] = {
#embed "../../Sources/StateMachines/StateMachines.docc/StateMachines.md"
};
static const unsigned char EventsAndGuards[] = {
#embed "../../Sources/StateMachines/StateMachines.docc/EventsAndGuards.md"
};
static const unsigned char DelaysThatSurvive[] = {
#embed "../../Sources/StateMachines/StateMachines.docc/DelaysThatSurvive.md"
};
static const unsigned char StatesThatAdvance[] = {
#embed "../../Sources/StateMachines/StateMachines.docc/StatesThatAdvance.md"
};
static const unsigned char RulesAndObservers[] = {
#embed "../../Sources/StateMachines/StateMachines.docc/RulesAndObservers.md"
};
static const unsigned char PureMachines[] = {
#embed "../../Sources/StateMachines/StateMachines.docc/PureMachines.md"
};
static const unsigned char CheckingAndDrawing[] = {
#embed "../../Sources/StateMachines/StateMachines.docc/CheckingAndDrawing.md"
};

static const struct article articles[] = {
    {"Using it", "GettingStarted", GettingStarted, sizeof GettingStarted},
    {"Using it", "ATour", ATour, sizeof ATour},
    {"Using it", "UsingTheAPI", UsingTheAPI, sizeof UsingTheAPI},
    {"Using it", "OtherSystems", OtherSystems, sizeof OtherSystems},
    {"Using it", "Voice", Voice, sizeof Voice},
    {"Using it", "Webhooks", Webhooks, sizeof Webhooks},
    {"Using it", "JavaScriptClient", JavaScriptClient, sizeof JavaScriptClient},
    {"Using it", "PythonClient", PythonClient, sizeof PythonClient},
    {"Using it", "WebPage", WebPage, sizeof WebPage},
    {"Using it", "Refusals", Refusals, sizeof Refusals},
    {"Using it", "Guarantees", Guarantees, sizeof Guarantees},
    {"Reference", "problem-codes", problem_codes, sizeof problem_codes},
    {"Reference", "permission-rules", permission_rules, sizeof permission_rules},
    {"Swift client", "AuctionClient", AuctionClient, sizeof AuctionClient},
    {"Swift client", "ABiddingScreen", ABiddingScreen, sizeof ABiddingScreen},
    {"Swift client", "SigningIn", SigningIn, sizeof SigningIn},
    {"Operating it", "Configuring", Configuring, sizeof Configuring},
    {"Operating it", "Operations", Operations, sizeof Operations},
    {"Operating it", "HTTPConformance", HTTPConformance, sizeof HTTPConformance},
    {"Operating it", "Measuring", Measuring, sizeof Measuring},
    {"How it is built", "AuctionServer", AuctionServer, sizeof AuctionServer},
    {"How it is built", "TheWayOfOneBid", TheWayOfOneBid, sizeof TheWayOfOneBid},
    {"How it is built", "WhenTheLogFails", WhenTheLogFails, sizeof WhenTheLogFails},
    {"How it is built", "Decisions", Decisions, sizeof Decisions},
    {"How it is built", "DecisionsOnTheCore", DecisionsOnTheCore, sizeof DecisionsOnTheCore},
    {"How it is built", "DecisionsOnTheLog", DecisionsOnTheLog, sizeof DecisionsOnTheLog},
    {"How it is built", "DecisionsOnHTTP", DecisionsOnHTTP, sizeof DecisionsOnHTTP},
    {"How it is built", "Glossary", Glossary, sizeof Glossary},
    {"How it is built", "AddingAFormat", AddingAFormat, sizeof AddingAFormat},
    {"How it is built", "AddingAPermissionRule", AddingAPermissionRule, sizeof AddingAPermissionRule},
    {"How it is built", "AddingAnEventKind", AddingAnEventKind, sizeof AddingAnEventKind},
    {"How it is built", "AddingARoute", AddingARoute, sizeof AddingARoute},
    {"State machines", "StateMachines", StateMachines, sizeof StateMachines},
    {"State machines", "EventsAndGuards", EventsAndGuards, sizeof EventsAndGuards},
    {"State machines", "DelaysThatSurvive", DelaysThatSurvive, sizeof DelaysThatSurvive},
    {"State machines", "StatesThatAdvance", StatesThatAdvance, sizeof StatesThatAdvance},
    {"State machines", "RulesAndObservers", RulesAndObservers, sizeof RulesAndObservers},
    {"State machines", "PureMachines", PureMachines, sizeof PureMachines},
    {"State machines", "CheckingAndDrawing", CheckingAndDrawing, sizeof CheckingAndDrawing},
};

size_t article_count(void) { return sizeof articles / sizeof *articles; }

struct article article_at(size_t index) { return articles[index]; }

static const unsigned char docs_calls_js[] = {
#embed "../Page/docs/calls.js"
};
static const unsigned char docs_contract_js[] = {
#embed "../Page/docs/contract.js"
};
static const unsigned char docs_docs_css[] = {
#embed "../Page/docs/docs.css"
};
static const unsigned char docs_elements_js[] = {
#embed "../Page/docs/elements.js"
};
static const unsigned char docs_index_html[] = {
#embed "../Page/docs/index.html"
};
static const unsigned char docs_main_js[] = {
#embed "../Page/docs/main.js"
};
static const unsigned char docs_markdown_js[] = {
#embed "../Page/docs/markdown.js"
};
static const unsigned char docs_requests_js[] = {
#embed "../Page/docs/requests.js"
};
static const unsigned char docs_types_js[] = {
#embed "../Page/docs/types.js"
};
static const unsigned char docs_yaml_js[] = {
#embed "../Page/docs/yaml.js"
};

static const struct page_file files[] = {
    {"docs/calls.js", docs_calls_js, sizeof docs_calls_js},
    {"docs/contract.js", docs_contract_js, sizeof docs_contract_js},
    {"docs/docs.css", docs_docs_css, sizeof docs_docs_css},
    {"docs/elements.js", docs_elements_js, sizeof docs_elements_js},
    {"docs/index.html", docs_index_html, sizeof docs_index_html},
    {"docs/main.js", docs_main_js, sizeof docs_main_js},
    {"docs/markdown.js", docs_markdown_js, sizeof docs_markdown_js},
    {"docs/requests.js", docs_requests_js, sizeof docs_requests_js},
    {"docs/types.js", docs_types_js, sizeof docs_types_js},
    {"docs/yaml.js", docs_yaml_js, sizeof docs_yaml_js},
};

size_t documentation_file_count(void) { return sizeof files / sizeof *files; }

struct page_file documentation_file_at(size_t index) { return files[index]; }
