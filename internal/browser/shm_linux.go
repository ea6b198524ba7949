package browser

// sharedMemory returns the free bytes of /dev/shm; 0 if it is missing.
func sharedMemory() int64 { return max(0, freeSpace("/dev/shm")) }
