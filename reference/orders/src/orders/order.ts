import * as z from "zod";

/** The statuses of an order. */
export const ORDER_STATUSES = ["open", "shipped", "cancelled"] as const;

/** The status of an order. */
export const orderStatus = z.enum(ORDER_STATUSES);

/** The form of the id of an order. */
export const ORDER_ID = /^ORD-[0-9]{4,9}$/;

/** The id of an order. */
export const orderId = z.string().regex(ORDER_ID);

/** The schema of an order. */
export const order = z.object({
  id: orderId,
  status: orderStatus,
  customer: z.object({ email: z.string() }),
  deliver_to: z.object({ country: z.string(), postcode: z.string().optional() }),
  items: z.array(z.object({ sku: z.string(), quantity: z.number().int(), price_cents: z.number().int() })),
  total_cents: z.number().int(),
  placed_at: z.string(),
});
/** An order. */
export type Order = z.infer<typeof order>;

/** The schema of a new order. Rules that only the backend knows, such as postcodes, are not part of it. */
export const newOrder = z.object({
  customer: z.object({ email: z.email() }),
  items: z
    .array(z.object({ sku: z.string().min(2).max(20), quantity: z.number().int().min(1).max(100) }))
    .min(1)
    .max(20),
  deliver_to: z.object({ country: z.string().length(2), postcode: z.string().max(12).optional() }),
});
/** An order to place. */
export type NewOrder = z.infer<typeof newOrder>;

/** The schema of a list filter. */
export const orderFilter = z.object({
  customer: z.email(),
  limit: z.number().int().min(1).max(50).default(10),
});
/** A list filter. */
export type OrderFilter = z.infer<typeof orderFilter>;

/** The schema of a shipment. */
export const shipment = z.object({ carrier: z.string(), state: z.string() });
/** A shipment. */
export type Shipment = z.infer<typeof shipment>;
