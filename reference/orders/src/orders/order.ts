import * as z from "zod";

/** What can become of an order. */
export const STATUSES = ["open", "shipped", "cancelled"] as const;

/** The number of an order, as people write it. */
export const orderId = z.string().regex(/^ORD-[0-9]{4,9}$/);

/** An order as every backend gives it. */
export const order = z.object({
  id: orderId,
  status: z.enum(STATUSES),
  customer: z.object({ email: z.string() }),
  deliver_to: z.object({ country: z.string(), postcode: z.string().optional() }),
  items: z.array(z.object({ sku: z.string(), quantity: z.number().int(), price_cents: z.number().int() })),
  total_cents: z.number().int(),
  placed_at: z.string(),
});
/** An order. */
export type Order = z.infer<typeof order>;

/** What it takes to place one. What only the backend knows, such as how postcodes look, is not in here. */
export const newOrder = z.object({
  customer: z.object({ email: z.email() }),
  items: z
    .array(z.object({ sku: z.string().min(2).max(20), quantity: z.number().int().min(1).max(100) }))
    .min(1)
    .max(20),
  deliver_to: z.object({ country: z.string().length(2), postcode: z.string().max(12).optional() }),
});
/** An order that is to be placed. */
export type NewOrder = z.infer<typeof newOrder>;

/** Whose orders to list. */
export const orderFilter = z.object({
  customer: z.email(),
  limit: z.number().int().min(1).max(50).default(10),
});
/** A choice of orders. */
export type OrderFilter = z.infer<typeof orderFilter>;

/** Where a parcel is. */
export const shipment = z.object({ carrier: z.string(), state: z.string() });
/** A parcel under way. */
export type Shipment = z.infer<typeof shipment>;
