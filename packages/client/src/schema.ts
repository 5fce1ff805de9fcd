// Generated from the OpenAPI description by `npm run generate -w @portal/client`. Do not edit.
export interface paths {
    "/v1/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The balance of the organisation
         * @description In test mode it is fictitious and never changes.
         *
         *     Access: key.
         */
        get: operations["v1Balance.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Batches, newest first
         * @description Access: key.
         */
        get: operations["v1Batches.list"];
        put?: never;
        /**
         * Verify up to 5,000 numbers in the background
         * @description The fee is held for each distinct valid number that has not been paid for yet.
         *
         *     Access: key.
         */
        post: operations["v1Batches.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{bat}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Progress of a batch
         * @description Access: key.
         */
        get: operations["v1Batches.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{bat}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a running batch: pending items are cancelled and their holds released
         * @description Access: key.
         */
        post: operations["v1Batches.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{bat}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The numbers of a batch with their results, in the order in which they were given
         * @description Access: key.
         */
        get: operations["v1Batches.items"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of the last 30 days in the mode of the key, newest first: what webhooks send
         * @description Access: key.
         */
        get: operations["v1Events.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{evt}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An event with its deliveries, newest first
         * @description Access: key.
         */
        get: operations["v1Events.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verifications of the organisation, newest first
         * @description `search` is part of a certificate number or reference.
         *
         *     Access: key.
         */
        get: operations["v1Verifications.list"];
        put?: never;
        /**
         * Verify a certificate and pay from the balance
         * @description A certificate that the organisation has already paid for costs nothing: the existing verification is returned with `already_paid: true`.
         *
         *     Access: key.
         */
        post: operations["v1Verifications.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verifications/{ver}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One verification with the certificate and its letter
         * @description Access: key.
         */
        get: operations["v1Verifications.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verifications/{ver}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a verification that waits for consent
         * @description Access: key.
         */
        post: operations["v1Verifications.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @enum {string} */
            code: "VALIDATION_ERROR" | "INVALID_CURRENT_PASSWORD" | "INVALID_RESET_TOKEN" | "EXPIRED_RESET_TOKEN" | "INVALID_VERIFICATION_TOKEN" | "EXPIRED_VERIFICATION_TOKEN" | "INVALID_CSV" | "INVALID_INVITATION" | "EXPIRED_INVITATION" | "UNAUTHENTICATED" | "INVALID_CREDENTIALS" | "SECOND_FACTOR_REQUIRED" | "INVALID_SECOND_FACTOR" | "PAYMENT_FAILED" | "PAYMENT_CANCELLED" | "PAYMENT_TIMEOUT" | "INSUFFICIENT_FUNDS" | "INVALID_CARD" | "CARD_DECLINED" | "INSUFFICIENT_BALANCE" | "FORBIDDEN" | "EMAIL_NOT_VERIFIED" | "ACCOUNT_DISABLED" | "SECOND_FACTOR_NOT_SET_UP" | "FEATURE_OFF" | "ORGANISATION_SUSPENDED" | "ORGANISATION_NOT_VETTED" | "NOT_FOUND" | "USER_NOT_FOUND" | "CERTIFICATE_NOT_FOUND" | "TRANSACTION_NOT_FOUND" | "ORGANISATION_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "EMAIL_TAKEN" | "LETTER_WITHDRAWN" | "LETTER_NOT_PRINTABLE" | "ERASURE_BLOCKED" | "PAYMENT_DISPUTED" | "DISPUTE_EXISTS" | "DISPUTE_CLOSED" | "DISPUTE_ALREADY_REFUNDED" | "CERTIFICATE_EXISTS" | "COUNT_CHANGED" | "ALREADY_REVERTED" | "NOT_REVERTIBLE" | "WRONG_STATE" | "LAST_OWNER" | "ALREADY_MEMBER" | "LIMIT_REACHED" | "ORGANISATION_HAS_BALANCE" | "BANK_DETAILS_MISSING" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_MISMATCH" | "VERSION_CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "REQUERY_FAILED" | "STATUS_CHECK_FAILED" | "FEE_BELOW_MINIMUM" | "GATEWAY_UNAVAILABLE" | "DATABASE_UNAVAILABLE";
            /** @description Message to show to people. */
            error: string;
            fields?: {
                [key: string]: string;
            };
            /** @description The mode of the API key, in errors of its calls. */
            livemode?: boolean;
            request_id: string;
            /** @description The certificate number that was probably meant: derived from the form of the number sent, or an existing number that differs only in its separators. */
            suggestion?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "v1Balance.read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        available: number;
                        balance: number;
                        /** @example NGN */
                        currency: string;
                        /** @description Owed after a chargeback; credits pay it off first. */
                        debt: number;
                        held: number;
                        /** @description False in test mode. */
                        livemode: boolean;
                        low_balance_alert: number | null;
                    };
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Batches.list": {
        parameters: {
            query?: {
                /** @example 1 */
                page?: number;
                per_page?: number;
                status?: "" | ("processing" | "completed" | "cancelled");
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        batches: {
                            completed_at: string | null;
                            counts: {
                                already_paid: number;
                                awaiting_consent: number;
                                cancelled: number;
                                expired: number;
                                invalid: number;
                                not_found: number;
                                pending: number;
                                refused: number;
                                verified: number;
                            };
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            /** @example NGN */
                            currency: string;
                            /** @description Fee per certificate, fixed when the batch was started. */
                            fee: number;
                            /** @description Amount of the balance that is still held for the batch. */
                            held: number;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            name: string | null;
                            purpose: string | null;
                            /** @description Null for API keys; the ID is null for members who have left. */
                            requested_by: {
                                user_id: string | null;
                            } | null;
                            /** @enum {string} */
                            status: "processing" | "completed" | "cancelled";
                            /** @description Number of distinct certificate numbers. */
                            total: number;
                            waiting_until: string | null;
                        }[];
                        /** @description False in test mode. */
                        livemode: boolean;
                        pagination: {
                            has_next: boolean;
                            has_prev: boolean;
                            /** @example 1 */
                            page: number;
                            pages: number;
                            per_page: number;
                            total: number;
                            /** @constant */
                            total_is_minimum?: true;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Batches.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own key for this request, 1 to 255 visible ASCII characters. With the same key, a retry returns the same payment or reply. A different request is refused with `IDEMPOTENCY_MISMATCH`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "certificate_numbers": [
                 *         "UG/2019/00123"
                 *       ]
                 *     }
                 */
                "application/json": {
                    certificate_numbers: string[];
                    name?: string | null;
                    purpose?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Present if this request repeats an earlier one with the same `Idempotency-Key`: it changed nothing, and returns the same payment or reply. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        batch: {
                            completed_at: string | null;
                            counts: {
                                already_paid: number;
                                awaiting_consent: number;
                                cancelled: number;
                                expired: number;
                                invalid: number;
                                not_found: number;
                                pending: number;
                                refused: number;
                                verified: number;
                            };
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            /** @example NGN */
                            currency: string;
                            /** @description Fee per certificate, fixed when the batch was started. */
                            fee: number;
                            /** @description Amount of the balance that is still held for the batch. */
                            held: number;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            name: string | null;
                            purpose: string | null;
                            /** @description Null for API keys; the ID is null for members who have left. */
                            requested_by: {
                                user_id: string | null;
                            } | null;
                            /** @enum {string} */
                            status: "processing" | "completed" | "cancelled";
                            /** @description Number of distinct certificate numbers. */
                            total: number;
                            waiting_until: string | null;
                        };
                        /** @description False in test mode. */
                        livemode: boolean;
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INSUFFICIENT_BALANCE */
            402: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ORGANISATION_NOT_VETTED, ORGANISATION_SUSPENDED, FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description LIMIT_REACHED, IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS */
            409: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Batches.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bat: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        batch: {
                            completed_at: string | null;
                            counts: {
                                already_paid: number;
                                awaiting_consent: number;
                                cancelled: number;
                                expired: number;
                                invalid: number;
                                not_found: number;
                                pending: number;
                                refused: number;
                                verified: number;
                            };
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            /** @example NGN */
                            currency: string;
                            /** @description Fee per certificate, fixed when the batch was started. */
                            fee: number;
                            /** @description Amount of the balance that is still held for the batch. */
                            held: number;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            name: string | null;
                            purpose: string | null;
                            /** @description Null for API keys; the ID is null for members who have left. */
                            requested_by: {
                                user_id: string | null;
                            } | null;
                            /** @enum {string} */
                            status: "processing" | "completed" | "cancelled";
                            /** @description Number of distinct certificate numbers. */
                            total: number;
                            waiting_until: string | null;
                        };
                        /** @description False in test mode. */
                        livemode: boolean;
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Batches.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bat: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        batch: {
                            completed_at: string | null;
                            counts: {
                                already_paid: number;
                                awaiting_consent: number;
                                cancelled: number;
                                expired: number;
                                invalid: number;
                                not_found: number;
                                pending: number;
                                refused: number;
                                verified: number;
                            };
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            /** @example NGN */
                            currency: string;
                            /** @description Fee per certificate, fixed when the batch was started. */
                            fee: number;
                            /** @description Amount of the balance that is still held for the batch. */
                            held: number;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            name: string | null;
                            purpose: string | null;
                            /** @description Null for API keys; the ID is null for members who have left. */
                            requested_by: {
                                user_id: string | null;
                            } | null;
                            /** @enum {string} */
                            status: "processing" | "completed" | "cancelled";
                            /** @description Number of distinct certificate numbers. */
                            total: number;
                            waiting_until: string | null;
                        };
                        /** @description False in test mode. */
                        livemode: boolean;
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ORGANISATION_NOT_VETTED, ORGANISATION_SUSPENDED, FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description WRONG_STATE */
            409: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Batches.items": {
        parameters: {
            query?: {
                /** @example 1 */
                page?: number;
                per_page?: number;
                status?: "" | ("pending" | "verified" | "already_paid" | "not_found" | "invalid" | "awaiting_consent" | "refused" | "expired" | "cancelled");
            };
            header?: never;
            path: {
                bat: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            certificate: {
                                /** @example UG/2019/00123 */
                                certificate_number: string;
                                /** @example B.Sc. Computer Science */
                                course: string;
                                /** @example Computer Science */
                                department: string;
                                /** @example Second Class Honours (Upper Division) */
                                grade: string;
                                /** @example 2019-11-15 */
                                graduation_date: string;
                                /** @example Ada Ngozi Obi */
                                student_name: string;
                            } | null;
                            /** @example UG/2019/00123 */
                            certificate_number: string;
                            letter: {
                                /** @example 123456 */
                                code: string;
                                /** @description Null for the test-mode specimen, which is not signed. */
                                credential_url: string | null;
                                /** @description Null for the test-mode specimen, which is not signed. */
                                open_badge_url: string | null;
                                pdf_url: string;
                                /**
                                 * @description Simulated in test mode; the public page of the specimen always says that it is a specimen.
                                 * @enum {string}
                                 */
                                status: "valid" | "withdrawn" | "superseded";
                                url: string;
                            } | null;
                            message?: string;
                            /** @enum {string} */
                            status: "pending" | "verified" | "already_paid" | "not_found" | "invalid" | "awaiting_consent" | "refused" | "expired" | "cancelled";
                            verification_id: string | null;
                        }[];
                        /** @description False in test mode. */
                        livemode: boolean;
                        pagination: {
                            has_next: boolean;
                            has_prev: boolean;
                            /** @example 1 */
                            page: number;
                            pages: number;
                            per_page: number;
                            total: number;
                            /** @constant */
                            total_is_minimum?: true;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Events.list": {
        parameters: {
            query?: {
                delivered?: "" | ("true" | "false");
                /** @example 1 */
                page?: number;
                per_page?: number;
                type?: "" | ("verification.completed" | "verification.awaiting_consent" | "verification.refused" | "verification.expired" | "batch.completed" | "research.updated" | "research.closed" | "letter.status_changed" | "balance.credited" | "balance.low" | "ping");
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: {
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            data: {
                                /** @example UG/2019/00123 */
                                certificate_number?: string;
                                /** @example 00000000-0000-4000-8000-000000000001 */
                                id: string;
                                reference?: string;
                                status: string;
                            };
                            /** @description True if there was at least one endpoint and all of them accepted it. */
                            delivered: boolean;
                            /** @description Endpoints that subscribed to the event when it happened, or that it was redelivered to. */
                            endpoints: number;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            timestamp: string;
                            /** @enum {string} */
                            type: "verification.completed" | "verification.awaiting_consent" | "verification.refused" | "verification.expired" | "batch.completed" | "research.updated" | "research.closed" | "letter.status_changed" | "balance.credited" | "balance.low" | "ping";
                        }[];
                        /** @description False in test mode. */
                        livemode: boolean;
                        pagination: {
                            has_next: boolean;
                            has_prev: boolean;
                            /** @example 1 */
                            page: number;
                            pages: number;
                            per_page: number;
                            total: number;
                            /** @constant */
                            total_is_minimum?: true;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Events.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evt: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: {
                            /** @description Attempts made so far. */
                            attempt: number;
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            duration_ms: number | null;
                            endpoint_id: string;
                            error: string | null;
                            event_id: string;
                            /** @description HTTP status of the last attempt; null without a response. */
                            http_status: number | null;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            last_attempt_at: string | null;
                            next_attempt_at: string | null;
                            /** @description First 1 kB of the last response. */
                            response: string | null;
                            /** @enum {string} */
                            status: "pending" | "delivered" | "failed" | "skipped";
                            url: string;
                        }[];
                        event: {
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            data: {
                                /** @example UG/2019/00123 */
                                certificate_number?: string;
                                /** @example 00000000-0000-4000-8000-000000000001 */
                                id: string;
                                reference?: string;
                                status: string;
                            };
                            /** @description True if there was at least one endpoint and all of them accepted it. */
                            delivered: boolean;
                            /** @description Endpoints that subscribed to the event when it happened, or that it was redelivered to. */
                            endpoints: number;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            timestamp: string;
                            /** @enum {string} */
                            type: "verification.completed" | "verification.awaiting_consent" | "verification.refused" | "verification.expired" | "batch.completed" | "research.updated" | "research.closed" | "letter.status_changed" | "balance.credited" | "balance.low" | "ping";
                        };
                        /** @description False in test mode. */
                        livemode: boolean;
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Verifications.list": {
        parameters: {
            query?: {
                date_from?: "" | string;
                date_to?: "" | string;
                /** @example 1 */
                page?: number;
                per_page?: number;
                result?: "" | ("verified" | "not_found");
                search?: string;
                source?: "" | ("portal" | "batch" | "api");
                status?: "" | ("completed" | "awaiting_consent" | "refused" | "expired" | "cancelled");
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False in test mode. */
                        livemode: boolean;
                        pagination: {
                            has_next: boolean;
                            has_prev: boolean;
                            /** @example 1 */
                            page: number;
                            pages: number;
                            per_page: number;
                            total: number;
                            /** @constant */
                            total_is_minimum?: true;
                        };
                        verifications: {
                            /**
                             * @description Amount charged.
                             * @example 5000
                             */
                            amount: number;
                            batch_id: string | null;
                            /** @example UG/2019/00123 */
                            certificate_number: string;
                            completed_at: string | null;
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            /** @example NGN */
                            currency: string;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            purpose: string | null;
                            /** @description The organisation’s own reference. */
                            reference: string | null;
                            /** @description Null for API keys; the ID is null for members who have left. */
                            requested_by: {
                                user_id: string | null;
                            } | null;
                            result: ("verified" | "not_found") | null;
                            /** @enum {string} */
                            source: "portal" | "batch" | "api";
                            /** @enum {string} */
                            status: "completed" | "awaiting_consent" | "refused" | "expired" | "cancelled";
                            transaction_id: string | null;
                        }[];
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Verifications.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own key for this request, 1 to 255 visible ASCII characters. With the same key, a retry returns the same payment or reply. A different request is refused with `IDEMPOTENCY_MISMATCH`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "certificate_number": "UG/2019/00123"
                 *     }
                 */
                "application/json": {
                    /** @example UG/2019/00123 */
                    certificate_number: string;
                    purpose?: string | null;
                    /** @description The organisation’s own reference, up to 64 characters. */
                    reference?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Present if this request repeats an earlier one with the same `Idempotency-Key`: it changed nothing, and returns the same payment or reply. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        already_paid: boolean;
                        /** @description Available after the call. */
                        balance: number;
                        certificate: {
                            /** @example UG/2019/00123 */
                            certificate_number: string;
                            /** @example B.Sc. Computer Science */
                            course: string;
                            /** @example Computer Science */
                            department: string;
                            /** @example Second Class Honours (Upper Division) */
                            grade: string;
                            /** @example 2019-11-15 */
                            graduation_date: string;
                            /** @example Ada Ngozi Obi */
                            student_name: string;
                        } | null;
                        /** @description Test mode: why the number was not found, if it is not one of the test numbers. */
                        hint?: string;
                        letter: {
                            /** @example 123456 */
                            code: string;
                            /** @description Null for the test-mode specimen, which is not signed. */
                            credential_url: string | null;
                            /** @description Null for the test-mode specimen, which is not signed. */
                            open_badge_url: string | null;
                            pdf_url: string;
                            /**
                             * @description Simulated in test mode; the public page of the specimen always says that it is a specimen.
                             * @enum {string}
                             */
                            status: "valid" | "withdrawn" | "superseded";
                            url: string;
                        } | null;
                        /** @description False in test mode. */
                        livemode: boolean;
                        verification: {
                            /**
                             * @description Amount charged.
                             * @example 5000
                             */
                            amount: number;
                            batch_id: string | null;
                            /** @example UG/2019/00123 */
                            certificate_number: string;
                            completed_at: string | null;
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            /** @example NGN */
                            currency: string;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            purpose: string | null;
                            /** @description The organisation’s own reference. */
                            reference: string | null;
                            /** @description Null for API keys; the ID is null for members who have left. */
                            requested_by: {
                                user_id: string | null;
                            } | null;
                            result: ("verified" | "not_found") | null;
                            /** @enum {string} */
                            source: "portal" | "batch" | "api";
                            /** @enum {string} */
                            status: "completed" | "awaiting_consent" | "refused" | "expired" | "cancelled";
                            transaction_id: string | null;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INSUFFICIENT_BALANCE */
            402: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ORGANISATION_NOT_VETTED, ORGANISATION_SUSPENDED, FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description LETTER_NOT_PRINTABLE, IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS */
            409: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Verifications.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ver: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        certificate: {
                            /** @example UG/2019/00123 */
                            certificate_number: string;
                            /** @example B.Sc. Computer Science */
                            course: string;
                            /** @example Computer Science */
                            department: string;
                            /** @example Second Class Honours (Upper Division) */
                            grade: string;
                            /** @example 2019-11-15 */
                            graduation_date: string;
                            /** @example Ada Ngozi Obi */
                            student_name: string;
                        } | null;
                        letter: {
                            /** @example 123456 */
                            code: string;
                            /** @description Null for the test-mode specimen, which is not signed. */
                            credential_url: string | null;
                            /** @description Null for the test-mode specimen, which is not signed. */
                            open_badge_url: string | null;
                            pdf_url: string;
                            /**
                             * @description Simulated in test mode; the public page of the specimen always says that it is a specimen.
                             * @enum {string}
                             */
                            status: "valid" | "withdrawn" | "superseded";
                            url: string;
                        } | null;
                        /** @description False in test mode. */
                        livemode: boolean;
                        verification: {
                            /**
                             * @description Amount charged.
                             * @example 5000
                             */
                            amount: number;
                            batch_id: string | null;
                            /** @example UG/2019/00123 */
                            certificate_number: string;
                            completed_at: string | null;
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            /** @example NGN */
                            currency: string;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            purpose: string | null;
                            /** @description The organisation’s own reference. */
                            reference: string | null;
                            /** @description Null for API keys; the ID is null for members who have left. */
                            requested_by: {
                                user_id: string | null;
                            } | null;
                            result: ("verified" | "not_found") | null;
                            /** @enum {string} */
                            source: "portal" | "batch" | "api";
                            /** @enum {string} */
                            status: "completed" | "awaiting_consent" | "refused" | "expired" | "cancelled";
                            transaction_id: string | null;
                        };
                        verification_template: {
                            assets: {
                                logo: string | null;
                            };
                            content: {
                                certificate_details: {
                                    class: string;
                                    /** @example 2026-01-15 */
                                    date: string;
                                    degree: string;
                                    name: string;
                                    sn: string;
                                };
                                closing: string;
                                /** @example We confirm that certificate {number} was issued to {student}. */
                                opening: string;
                                thanks: string;
                            };
                            header: {
                                /** @example Example Bank plc, 12 Marina, Lagos, Lagos State, Nigeria */
                                address: string;
                                /** @example 2026-01-15 */
                                date: string;
                                institution: string;
                                ref_number: string;
                            };
                            recipient: {
                                address: string[];
                                company: string;
                            };
                            signature: {
                                /** @example ada.obi@example.org */
                                email: string;
                                for: string;
                                name: string;
                                signature_image: string | null;
                                stamp_image: string | null;
                                title: string;
                            };
                            subject: string;
                        } | null;
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "v1Verifications.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ver: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        certificate: {
                            /** @example UG/2019/00123 */
                            certificate_number: string;
                            /** @example B.Sc. Computer Science */
                            course: string;
                            /** @example Computer Science */
                            department: string;
                            /** @example Second Class Honours (Upper Division) */
                            grade: string;
                            /** @example 2019-11-15 */
                            graduation_date: string;
                            /** @example Ada Ngozi Obi */
                            student_name: string;
                        } | null;
                        letter: {
                            /** @example 123456 */
                            code: string;
                            /** @description Null for the test-mode specimen, which is not signed. */
                            credential_url: string | null;
                            /** @description Null for the test-mode specimen, which is not signed. */
                            open_badge_url: string | null;
                            pdf_url: string;
                            /**
                             * @description Simulated in test mode; the public page of the specimen always says that it is a specimen.
                             * @enum {string}
                             */
                            status: "valid" | "withdrawn" | "superseded";
                            url: string;
                        } | null;
                        /** @description False in test mode. */
                        livemode: boolean;
                        verification: {
                            /**
                             * @description Amount charged.
                             * @example 5000
                             */
                            amount: number;
                            batch_id: string | null;
                            /** @example UG/2019/00123 */
                            certificate_number: string;
                            completed_at: string | null;
                            /** @example 2026-01-15T12:00:00.000Z */
                            created_at: string;
                            /** @example NGN */
                            currency: string;
                            /** @example 00000000-0000-4000-8000-000000000001 */
                            id: string;
                            livemode: boolean;
                            purpose: string | null;
                            /** @description The organisation’s own reference. */
                            reference: string | null;
                            /** @description Null for API keys; the ID is null for members who have left. */
                            requested_by: {
                                user_id: string | null;
                            } | null;
                            result: ("verified" | "not_found") | null;
                            /** @enum {string} */
                            source: "portal" | "batch" | "api";
                            /** @enum {string} */
                            status: "completed" | "awaiting_consent" | "refused" | "expired" | "cancelled";
                            transaction_id: string | null;
                        };
                        verification_template: {
                            assets: {
                                logo: string | null;
                            };
                            content: {
                                certificate_details: {
                                    class: string;
                                    /** @example 2026-01-15 */
                                    date: string;
                                    degree: string;
                                    name: string;
                                    sn: string;
                                };
                                closing: string;
                                /** @example We confirm that certificate {number} was issued to {student}. */
                                opening: string;
                                thanks: string;
                            };
                            header: {
                                /** @example Example Bank plc, 12 Marina, Lagos, Lagos State, Nigeria */
                                address: string;
                                /** @example 2026-01-15 */
                                date: string;
                                institution: string;
                                ref_number: string;
                            };
                            recipient: {
                                address: string[];
                                company: string;
                            };
                            signature: {
                                /** @example ada.obi@example.org */
                                email: string;
                                for: string;
                                name: string;
                                signature_image: string | null;
                                stamp_image: string | null;
                                title: string;
                            };
                            subject: string;
                        } | null;
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHENTICATED */
            401: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ORGANISATION_NOT_VETTED, ORGANISATION_SUSPENDED, FORBIDDEN */
            403: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description WRONG_STATE */
            409: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATABASE_UNAVAILABLE */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After"?: number;
                    /** @description Identifies this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
