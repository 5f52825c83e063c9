// The planted secrets.

/** Registered with `registerSecrets` in the guarded process. No pattern matches it. */
export const REGISTERED_SECRET = "blue giraffe hat";
/** Found by a pattern, as the secrets below. */
export const TOKEN = ["ghp", "k3Vd81mQz0Lx7RtYb2Wc9Ns4Hj6Pf5Aq1Eu8"].join("_");
export const PASSWORD = "Tr0ub4dor&3";
/** The key of the REST service, in the form that the service gives out. */
export const API_KEY = ["patQ7mZk2vX9sLb4Rt", "4f1d0c9b8a7e6f5d".repeat(4)].join(".");
