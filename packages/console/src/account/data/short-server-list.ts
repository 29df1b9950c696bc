/** Up to this many servers are polled whole. A longer list is read again when the counts of its servers change. */
export const shortServerList = 20;
