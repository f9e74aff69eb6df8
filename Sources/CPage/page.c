#include "page.h"
#include "documentation.h"

// Embedded by the C compiler, as the contract is. A file that is missing here is not served; a test compares with the folder.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char amount_cells_js[] = {
#embed "../Page/amount-cells.js"
};
static const unsigned char attention_js[] = {
#embed "../Page/attention.js"
};
static const unsigned char base_css[] = {
#embed "../Page/base.css"
};
static const unsigned char blocks_js[] = {
#embed "../Page/blocks.js"
};
static const unsigned char calendar_js[] = {
#embed "../Page/calendar.js"
};
static const unsigned char csv_js[] = {
#embed "../Page/csv.js"
};
static const unsigned char currencies_js[] = {
#embed "../Page/currencies.js"
};
static const unsigned char dialog_history_js[] = {
#embed "../Page/dialog-history.js"
};
static const unsigned char dom_js[] = {
#embed "../Page/dom.js"
};
static const unsigned char favourites_js[] = {
#embed "../Page/favourites.js"
};
static const unsigned char feedback_js[] = {
#embed "../Page/feedback.js"
};
static const unsigned char file_text_js[] = {
#embed "../Page/file-text.js"
};
static const unsigned char forms_js[] = {
#embed "../Page/forms.js"
};
static const unsigned char icon_svg[] = {
#embed "../Page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../Page/index.html"
};
static const unsigned char intro_svg[] = {
#embed "../Page/intro.svg"
};
static const unsigned char invitation_js[] = {
#embed "../Page/invitation.js"
};
static const unsigned char lot_columns_js[] = {
#embed "../Page/lot-columns.js"
};
static const unsigned char lots_client_js[] = {
#embed "../Page/lots-client.js"
};
static const unsigned char lots_css[] = {
#embed "../Page/lots.css"
};
static const unsigned char main_js[] = {
#embed "../Page/main.js"
};
static const unsigned char names_js[] = {
#embed "../Page/names.js"
};
static const unsigned char number_format_js[] = {
#embed "../Page/number-format.js"
};
static const unsigned char operator_index_html[] = {
#embed "../Page/operator/index.html"
};
static const unsigned char operator_main_js[] = {
#embed "../Page/operator/main.js"
};
static const unsigned char operator_programs_js[] = {
#embed "../Page/operator/programs.js"
};
static const unsigned char operator_rooms_js[] = {
#embed "../Page/operator/rooms.js"
};
static const unsigned char operator_webhooks_js[] = {
#embed "../Page/operator/webhooks.js"
};
static const unsigned char own_bids_js[] = {
#embed "../Page/own-bids.js"
};
static const unsigned char picture_file_js[] = {
#embed "../Page/picture-file.js"
};
static const unsigned char plot_js[] = {
#embed "../Page/plot.js"
};
static const unsigned char problem_words_js[] = {
#embed "../Page/problem-words.js"
};
static const unsigned char provider_sign_in_js[] = {
#embed "../Page/provider-sign-in.js"
};
static const unsigned char qr_js[] = {
#embed "../Page/qr.js"
};
static const unsigned char room_client_js[] = {
#embed "../Page/room-client.js"
};
static const unsigned char room_css[] = {
#embed "../Page/room.css"
};
static const unsigned char session_js[] = {
#embed "../Page/session.js"
};
static const unsigned char settling_js[] = {
#embed "../Page/settling.js"
};
static const unsigned char storage_js[] = {
#embed "../Page/storage.js"
};
static const unsigned char strings_js[] = {
#embed "../Page/strings.js"
};
static const unsigned char voice_client_js[] = {
#embed "../Page/voice-client.js"
};
static const unsigned char voice_js[] = {
#embed "../Page/voice.js"
};
static const unsigned char xlsx_js[] = {
#embed "../Page/xlsx.js"
};
static const unsigned char zip_js[] = {
#embed "../Page/zip.js"
};
static const unsigned char zoom_js[] = {
#embed "../Page/zoom.js"
};
static const unsigned char client_auction_client_d_ts[] = {
#embed "../Page/client/auction-client.d.ts"
};
static const unsigned char client_auction_client_js[] = {
#embed "../Page/client/auction-client.js"
};
static const unsigned char client_bids_js[] = {
#embed "../Page/client/bids.js"
};
static const unsigned char client_bodies_js[] = {
#embed "../Page/client/bodies.js"
};
static const unsigned char client_clock_js[] = {
#embed "../Page/client/clock.js"
};
static const unsigned char client_commands_js[] = {
#embed "../Page/client/commands.js"
};
static const unsigned char client_doubt_js[] = {
#embed "../Page/client/doubt.js"
};
static const unsigned char client_contract_d_ts[] = {
#embed "../Page/client/contract.d.ts"
};
static const unsigned char client_errors_js[] = {
#embed "../Page/client/errors.js"
};
static const unsigned char client_event_queue_js[] = {
#embed "../Page/client/event-queue.js"
};
static const unsigned char client_follow_machine_js[] = {
#embed "../Page/client/follow-machine.js"
};
static const unsigned char client_follow_rules_js[] = {
#embed "../Page/client/follow-rules.js"
};
static const unsigned char client_follow_js[] = {
#embed "../Page/client/follow.js"
};
static const unsigned char client_followed_room_js[] = {
#embed "../Page/client/followed-room.js"
};
static const unsigned char client_http_js[] = {
#embed "../Page/client/http.js"
};
static const unsigned char client_listeners_js[] = {
#embed "../Page/client/listeners.js"
};
static const unsigned char client_money_js[] = {
#embed "../Page/client/money.js"
};
static const unsigned char client_operations_js[] = {
#embed "../Page/client/operations.js"
};
static const unsigned char client_pages_js[] = {
#embed "../Page/client/pages.js"
};
static const unsigned char client_pixels_js[] = {
#embed "../Page/client/pixels.js"
};
static const unsigned char client_refresher_js[] = {
#embed "../Page/client/refresher.js"
};
static const unsigned char client_room_lots_js[] = {
#embed "../Page/client/room-lots.js"
};
static const unsigned char client_room_state_js[] = {
#embed "../Page/client/room-state.js"
};
static const unsigned char client_room_js[] = {
#embed "../Page/client/room.js"
};
static const unsigned char client_shown_rounds_js[] = {
#embed "../Page/client/shown-rounds.js"
};
static const unsigned char client_sse_parser_js[] = {
#embed "../Page/client/sse-parser.js"
};
static const unsigned char client_timing_js[] = {
#embed "../Page/client/timing.js"
};
static const unsigned char client_tokens_js[] = {
#embed "../Page/client/tokens.js"
};
static const unsigned char client_transport_choice_js[] = {
#embed "../Page/client/transport-choice.js"
};
static const unsigned char client_transports_js[] = {
#embed "../Page/client/transports.js"
};
static const unsigned char client_values_d_ts[] = {
#embed "../Page/client/values.d.ts"
};
static const unsigned char views_floor_js[] = {
#embed "../Page/views/floor.js"
};
static const unsigned char views_room_rules_js[] = {
#embed "../Page/views/room-rules.js"
};
static const unsigned char views_applications_js[] = {
#embed "../Page/views/applications.js"
};
static const unsigned char views_another_device_js[] = {
#embed "../Page/views/another-device.js"
};
static const unsigned char views_asks_js[] = {
#embed "../Page/views/asks.js"
};
static const unsigned char views_bid_js[] = {
#embed "../Page/views/bid.js"
};
static const unsigned char views_bids_js[] = {
#embed "../Page/views/bids.js"
};
static const unsigned char views_chat_js[] = {
#embed "../Page/views/chat.js"
};
static const unsigned char views_confirm_js[] = {
#embed "../Page/views/confirm.js"
};
static const unsigned char views_frame_js[] = {
#embed "../Page/views/frame.js"
};
static const unsigned char views_guest_js[] = {
#embed "../Page/views/guest.js"
};
static const unsigned char views_hero_js[] = {
#embed "../Page/views/hero.js"
};
static const unsigned char views_host_js[] = {
#embed "../Page/views/host.js"
};
static const unsigned char views_import_columns_js[] = {
#embed "../Page/views/import-columns.js"
};
static const unsigned char views_inbox_js[] = {
#embed "../Page/views/inbox.js"
};
static const unsigned char views_item_form_js[] = {
#embed "../Page/views/item-form.js"
};
static const unsigned char views_item_rules_js[] = {
#embed "../Page/views/item-rules.js"
};
static const unsigned char views_lot_filter_js[] = {
#embed "../Page/views/lot-filter.js"
};
static const unsigned char views_lot_import_js[] = {
#embed "../Page/views/lot-import.js"
};
static const unsigned char views_lot_order_js[] = {
#embed "../Page/views/lot-order.js"
};
static const unsigned char views_lot_js[] = {
#embed "../Page/views/lot.js"
};
static const unsigned char views_lots_js[] = {
#embed "../Page/views/lots.js"
};
static const unsigned char views_offers_js[] = {
#embed "../Page/views/offers.js"
};
static const unsigned char views_own_bids_js[] = {
#embed "../Page/views/own-bids.js"
};
static const unsigned char views_people_js[] = {
#embed "../Page/views/people.js"
};
static const unsigned char views_picture_viewer_js[] = {
#embed "../Page/views/picture-viewer.js"
};
static const unsigned char views_pictures_js[] = {
#embed "../Page/views/pictures.js"
};
static const unsigned char views_results_js[] = {
#embed "../Page/views/results.js"
};
static const unsigned char views_room_js[] = {
#embed "../Page/views/room.js"
};
static const unsigned char views_rooms_js[] = {
#embed "../Page/views/rooms.js"
};
static const unsigned char views_sale_js[] = {
#embed "../Page/views/sale.js"
};
static const unsigned char views_seat_menu_js[] = {
#embed "../Page/views/seat-menu.js"
};
static const unsigned char views_share_js[] = {
#embed "../Page/views/share.js"
};
static const unsigned char views_sign_in_js[] = {
#embed "../Page/views/sign-in.js"
};
static const unsigned char views_stage_js[] = {
#embed "../Page/views/stage.js"
};
static const unsigned char views_tabs_js[] = {
#embed "../Page/views/tabs.js"
};
static const unsigned char views_tempo_js[] = {
#embed "../Page/views/tempo.js"
};
static const unsigned char views_totals_js[] = {
#embed "../Page/views/totals.js"
};
static const unsigned char views_unanswered_js[] = {
#embed "../Page/views/unanswered.js"
};
static const unsigned char views_unsold_js[] = {
#embed "../Page/views/unsold.js"
};
static const unsigned char views_voice_js[] = {
#embed "../Page/views/voice.js"
};
static const unsigned char views_while_away_js[] = {
#embed "../Page/views/while-away.js"
};

static const struct page_file files[] = {
    {"amount-cells.js", amount_cells_js, sizeof amount_cells_js},
    {"attention.js", attention_js, sizeof attention_js},
    {"base.css", base_css, sizeof base_css},
    {"blocks.js", blocks_js, sizeof blocks_js},
    {"calendar.js", calendar_js, sizeof calendar_js},
    {"csv.js", csv_js, sizeof csv_js},
    {"currencies.js", currencies_js, sizeof currencies_js},
    {"dialog-history.js", dialog_history_js, sizeof dialog_history_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"favourites.js", favourites_js, sizeof favourites_js},
    {"feedback.js", feedback_js, sizeof feedback_js},
    {"file-text.js", file_text_js, sizeof file_text_js},
    {"forms.js", forms_js, sizeof forms_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"index.html", index_html, sizeof index_html},
    {"intro.svg", intro_svg, sizeof intro_svg},
    {"invitation.js", invitation_js, sizeof invitation_js},
    {"lot-columns.js", lot_columns_js, sizeof lot_columns_js},
    {"lots-client.js", lots_client_js, sizeof lots_client_js},
    {"lots.css", lots_css, sizeof lots_css},
    {"main.js", main_js, sizeof main_js},
    {"names.js", names_js, sizeof names_js},
    {"number-format.js", number_format_js, sizeof number_format_js},
    {"operator/index.html", operator_index_html, sizeof operator_index_html},
    {"operator/main.js", operator_main_js, sizeof operator_main_js},
    {"operator/programs.js", operator_programs_js, sizeof operator_programs_js},
    {"operator/rooms.js", operator_rooms_js, sizeof operator_rooms_js},
    {"operator/webhooks.js", operator_webhooks_js, sizeof operator_webhooks_js},
    {"own-bids.js", own_bids_js, sizeof own_bids_js},
    {"picture-file.js", picture_file_js, sizeof picture_file_js},
    {"plot.js", plot_js, sizeof plot_js},
    {"problem-words.js", problem_words_js, sizeof problem_words_js},
    {"provider-sign-in.js", provider_sign_in_js, sizeof provider_sign_in_js},
    {"qr.js", qr_js, sizeof qr_js},
    {"room-client.js", room_client_js, sizeof room_client_js},
    {"room.css", room_css, sizeof room_css},
    {"session.js", session_js, sizeof session_js},
    {"settling.js", settling_js, sizeof settling_js},
    {"storage.js", storage_js, sizeof storage_js},
    {"strings.js", strings_js, sizeof strings_js},
    {"voice-client.js", voice_client_js, sizeof voice_client_js},
    {"voice.js", voice_js, sizeof voice_js},
    {"xlsx.js", xlsx_js, sizeof xlsx_js},
    {"zip.js", zip_js, sizeof zip_js},
    {"zoom.js", zoom_js, sizeof zoom_js},
    {"client/auction-client.d.ts", client_auction_client_d_ts, sizeof client_auction_client_d_ts},
    {"client/auction-client.js", client_auction_client_js, sizeof client_auction_client_js},
    {"client/bids.js", client_bids_js, sizeof client_bids_js},
    {"client/bodies.js", client_bodies_js, sizeof client_bodies_js},
    {"client/clock.js", client_clock_js, sizeof client_clock_js},
    {"client/commands.js", client_commands_js, sizeof client_commands_js},
    {"client/doubt.js", client_doubt_js, sizeof client_doubt_js},
    {"client/contract.d.ts", client_contract_d_ts, sizeof client_contract_d_ts},
    {"client/errors.js", client_errors_js, sizeof client_errors_js},
    {"client/event-queue.js", client_event_queue_js, sizeof client_event_queue_js},
    {"client/follow-machine.js", client_follow_machine_js, sizeof client_follow_machine_js},
    {"client/follow-rules.js", client_follow_rules_js, sizeof client_follow_rules_js},
    {"client/follow.js", client_follow_js, sizeof client_follow_js},
    {"client/followed-room.js", client_followed_room_js, sizeof client_followed_room_js},
    {"client/http.js", client_http_js, sizeof client_http_js},
    {"client/listeners.js", client_listeners_js, sizeof client_listeners_js},
    {"client/money.js", client_money_js, sizeof client_money_js},
    {"client/operations.js", client_operations_js, sizeof client_operations_js},
    {"client/pages.js", client_pages_js, sizeof client_pages_js},
    {"client/pixels.js", client_pixels_js, sizeof client_pixels_js},
    {"client/refresher.js", client_refresher_js, sizeof client_refresher_js},
    {"client/room-lots.js", client_room_lots_js, sizeof client_room_lots_js},
    {"client/room-state.js", client_room_state_js, sizeof client_room_state_js},
    {"client/room.js", client_room_js, sizeof client_room_js},
    {"client/shown-rounds.js", client_shown_rounds_js, sizeof client_shown_rounds_js},
    {"client/sse-parser.js", client_sse_parser_js, sizeof client_sse_parser_js},
    {"client/timing.js", client_timing_js, sizeof client_timing_js},
    {"client/tokens.js", client_tokens_js, sizeof client_tokens_js},
    {"client/transport-choice.js", client_transport_choice_js, sizeof client_transport_choice_js},
    {"client/transports.js", client_transports_js, sizeof client_transports_js},
    {"client/values.d.ts", client_values_d_ts, sizeof client_values_d_ts},
    {"views/applications.js", views_applications_js, sizeof views_applications_js},
    {"views/another-device.js", views_another_device_js, sizeof views_another_device_js},
    {"views/asks.js", views_asks_js, sizeof views_asks_js},
    {"views/floor.js", views_floor_js, sizeof views_floor_js},
    {"views/room-rules.js", views_room_rules_js, sizeof views_room_rules_js},
    {"views/bid.js", views_bid_js, sizeof views_bid_js},
    {"views/bids.js", views_bids_js, sizeof views_bids_js},
    {"views/chat.js", views_chat_js, sizeof views_chat_js},
    {"views/confirm.js", views_confirm_js, sizeof views_confirm_js},
    {"views/frame.js", views_frame_js, sizeof views_frame_js},
    {"views/guest.js", views_guest_js, sizeof views_guest_js},
    {"views/hero.js", views_hero_js, sizeof views_hero_js},
    {"views/host.js", views_host_js, sizeof views_host_js},
    {"views/import-columns.js", views_import_columns_js, sizeof views_import_columns_js},
    {"views/inbox.js", views_inbox_js, sizeof views_inbox_js},
    {"views/item-form.js", views_item_form_js, sizeof views_item_form_js},
    {"views/item-rules.js", views_item_rules_js, sizeof views_item_rules_js},
    {"views/lot-filter.js", views_lot_filter_js, sizeof views_lot_filter_js},
    {"views/lot-import.js", views_lot_import_js, sizeof views_lot_import_js},
    {"views/lot-order.js", views_lot_order_js, sizeof views_lot_order_js},
    {"views/lot.js", views_lot_js, sizeof views_lot_js},
    {"views/lots.js", views_lots_js, sizeof views_lots_js},
    {"views/offers.js", views_offers_js, sizeof views_offers_js},
    {"views/own-bids.js", views_own_bids_js, sizeof views_own_bids_js},
    {"views/people.js", views_people_js, sizeof views_people_js},
    {"views/picture-viewer.js", views_picture_viewer_js, sizeof views_picture_viewer_js},
    {"views/pictures.js", views_pictures_js, sizeof views_pictures_js},
    {"views/results.js", views_results_js, sizeof views_results_js},
    {"views/room.js", views_room_js, sizeof views_room_js},
    {"views/rooms.js", views_rooms_js, sizeof views_rooms_js},
    {"views/sale.js", views_sale_js, sizeof views_sale_js},
    {"views/seat-menu.js", views_seat_menu_js, sizeof views_seat_menu_js},
    {"views/share.js", views_share_js, sizeof views_share_js},
    {"views/sign-in.js", views_sign_in_js, sizeof views_sign_in_js},
    {"views/stage.js", views_stage_js, sizeof views_stage_js},
    {"views/tabs.js", views_tabs_js, sizeof views_tabs_js},
    {"views/tempo.js", views_tempo_js, sizeof views_tempo_js},
    {"views/totals.js", views_totals_js, sizeof views_totals_js},
    {"views/unanswered.js", views_unanswered_js, sizeof views_unanswered_js},
    {"views/unsold.js", views_unsold_js, sizeof views_unsold_js},
    {"views/voice.js", views_voice_js, sizeof views_voice_js},
    {"views/while-away.js", views_while_away_js, sizeof views_while_away_js},
};

static const size_t count = sizeof files / sizeof *files;

size_t page_file_count(void) { return count + documentation_file_count(); }

struct page_file page_file_at(size_t index) { return index < count ? files[index] : documentation_file_at(index - count); }
