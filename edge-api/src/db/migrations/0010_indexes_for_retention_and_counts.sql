DROP INDEX `ledger_by_time`;--> statement-breakpoint
CREATE INDEX `ledger_by_time` ON `ledger_entries` (`at`,`account`,`currency`,`amount_minor`);--> statement-breakpoint
CREATE INDEX `mail_tokens_by_expiry` ON `mail_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `users_by_standing` ON `users` (`role`,`is_enabled`,`verified_at`);--> statement-breakpoint
CREATE INDEX `refunds_by_time` ON `refunds` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `outbox_delivered` ON `outbox` (`delivered_at`) WHERE delivered_at is not null;--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_time` ON `idempotency_keys` (`created_at`);