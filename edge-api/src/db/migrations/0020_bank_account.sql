CREATE INDEX `refunds_by_bank_reference` ON `refunds` (upper(bank_reference)) WHERE bank_reference is not null;--> statement-breakpoint
DROP TRIGGER `refunds_within_receipts`;--> statement-breakpoint
CREATE TRIGGER `refunds_within_receipts` BEFORE INSERT ON `refunds`
WHEN NEW.`amount_minor` <= 0 OR NEW.`amount_minor` + (
	SELECT coalesce(sum(`amount_minor`), 0) FROM `refunds` WHERE `payment_id` = NEW.`payment_id` AND `idempotency_key` <> NEW.`idempotency_key`
) > (
	SELECT coalesce(sum(`amount_minor`), 0) FROM `ledger_entries` WHERE `payment_id` = NEW.`payment_id` AND `account` = 'gateway_clearing' AND `amount_minor` > 0 AND `reason` IN ('payment received', 'reversal_undone') AND `currency` = NEW.`currency`
)
BEGIN
	SELECT RAISE(ABORT, 'refunds would exceed what was received');
END;--> statement-breakpoint
-- Entries are never rewritten: what the bank paid back was booked as though the gateway had, and is moved by two more.
-- Where the gateway took the payment back as well, nothing is left with it: the payer has had the money twice.
INSERT INTO `ledger_entries` (`payment_id`, `account`, `amount_minor`, `currency`, `reason`, `at`)
SELECT r.`payment_id`, CASE side.`name` WHEN 'bank' THEN 'bank' ELSE
	CASE WHEN EXISTS (SELECT 1 FROM `payment_events` e WHERE e.`payment_id` = r.`payment_id` AND e.`type` = 'reversed') THEN 'refund_payable' ELSE 'gateway_clearing' END
END, CASE side.`name` WHEN 'bank' THEN -r.`amount_minor` ELSE r.`amount_minor` END, r.`currency`, 'refund by bank', CAST(strftime('%s', 'now') AS INTEGER) * 1000
FROM `refunds` r CROSS JOIN (SELECT 'bank' AS `name` UNION ALL SELECT 'other') side
WHERE r.`status` = 'processed' AND r.`bank_reference` IS NOT NULL
ORDER BY r.`id`, side.`name`;--> statement-breakpoint
-- Refunds of payments that the gateway took back can be approved again once the money came again; these are over.
UPDATE `refunds` SET `status` = 'processed', `processed_at` = `updated_at`, `note` = 'The gateway took the payment back itself: nothing is owed.'
WHERE `status` IN ('due', 'failed', 'needs_attention') AND `payment_id` IN (SELECT `id` FROM `payments` WHERE `status` = 'reversed');
