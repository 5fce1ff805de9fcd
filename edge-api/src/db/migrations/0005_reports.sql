ALTER TABLE `payment_items` ADD `result` text DEFAULT 'pending' NOT NULL;--> statement-breakpoint
ALTER TABLE `payment_items` ADD `result_at` integer;--> statement-breakpoint
CREATE INDEX `payment_items_by_result` ON `payment_items` (`result_at`,`id`,`result`);--> statement-breakpoint
CREATE INDEX `payment_items_by_certificate` ON `payment_items` (`certificate_number`);--> statement-breakpoint
CREATE INDEX `payments_by_time` ON `payments` (`created_at`,`id`,`status`,`amount_minor`,`amount_paid_minor`);
--> statement-breakpoint
CREATE VIEW `item_results` AS
SELECT `item`.`id` AS `id`,
	CASE
		WHEN `payment`.`status` IN ('created', 'pending', 'unknown', 'processing', 'review', 'mismatched') THEN 'pending'
		WHEN `payment`.`status` IN ('paid', 'refunded') AND `given`.`outcome` = 'verified' THEN 'success'
		WHEN `payment`.`status` = 'paid' AND `given`.`outcome` = 'refund_due' AND EXISTS (
			SELECT 1 FROM `fulfilments` AS `earlier`
			JOIN `payments` AS `earlier_payment` ON `earlier_payment`.`id` = `earlier`.`payment_id`
			JOIN `certificates` AS `earlier_certificate` ON `earlier_certificate`.`id` = `earlier`.`certificate_id`
			WHERE `earlier`.`user_id` = `item`.`user_id` AND `earlier`.`certificate_number` = `item`.`certificate_number`
				AND `earlier`.`outcome` = 'verified' AND `earlier_payment`.`status` IN ('paid', 'refunded') AND `earlier`.`at` <= `given`.`at`
				AND (`earlier_certificate`.`withdrawn_at` IS NULL OR `earlier_certificate`.`withdrawn_at` > `given`.`at`)
		) THEN 'success'
		ELSE 'failed'
	END AS `result`,
	coalesce(`given`.`at`, `item`.`created_at`) AS `result_at`
FROM `payment_items` AS `item`
JOIN `payments` AS `payment` ON `payment`.`id` = `item`.`payment_id`
LEFT JOIN `fulfilments` AS `given` ON `given`.`payment_item_id` = `item`.`id`;
--> statement-breakpoint
UPDATE `payment_items` SET (`result`, `result_at`) = (SELECT `result`, `result_at` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`);
--> statement-breakpoint
CREATE TRIGGER `result_of_item` AFTER INSERT ON `payment_items` BEGIN
	UPDATE `payment_items` SET (`result`, `result_at`) = (SELECT `result`, `result_at` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`)
	WHERE `id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `result_of_fulfilment` AFTER INSERT ON `fulfilments` BEGIN
	UPDATE `payment_items` SET (`result`, `result_at`) = (SELECT `result`, `result_at` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`)
	WHERE `id` = new.`payment_item_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `result_of_payment` AFTER UPDATE OF `status` ON `payments` WHEN old.`status` <> new.`status` BEGIN
	UPDATE `payment_items` SET (`result`, `result_at`) = (SELECT `result`, `result_at` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`)
	WHERE `payment_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `result_of_second_payment` AFTER UPDATE OF `status` ON `payments` WHEN old.`status` <> 'reversed' AND new.`status` = 'reversed' BEGIN
	UPDATE `payment_items` SET (`result`, `result_at`) = (SELECT `result`, `result_at` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`)
	WHERE `user_id` = new.`user_id` AND `certificate_number` IN (SELECT `certificate_number` FROM `payment_items` WHERE `payment_id` = new.`id`);
END;
