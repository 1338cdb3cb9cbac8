import BLESerial
