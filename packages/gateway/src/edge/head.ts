/** The first lines of a request: all that is known before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** Path of the URL, without the query. */
  readonly path: string;
  /** The names of the headers that were sent, in lower case. */
  readonly names: readonly string[];
  /** The value of a header, by its name in lower case; undefined where it is missing. */
  header(name: string): string | undefined;
  /** The address of the caller: that of the connection, or what a proxy of the configuration says. */
  readonly address: string;
  /** The address of the gateway that it came in at; undefined where it is not known. */
  readonly localAddress?: string | undefined;
  /** One value for all requests of a connection, to remember by it what they have in common. */
  readonly connection?: object | undefined;
}
